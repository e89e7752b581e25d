import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

export default defineConfig(({ isSsrBuild }) => ({
  root: isSsrBuild ? "." : "client",
  plugins: isSsrBuild ? [] : [react()],
  build: {
    outDir: isSsrBuild ? "dist/server" : "../dist/client",
    emptyOutDir: true,
    target: isSsrBuild ? "node20" : "es2022",
    // The content security policy takes fonts and images from our own files only, so none may become a data: URL.
    assetsInlineLimit: 0,
    // What the browser has to load first is measured compressed, by `npm run bench -- bundle`.
    chunkSizeWarningLimit: 1000,
    // Stack traces of a money system must name the source line; the browser gets no maps.
    sourcemap: isSsrBuild === true,
  },
}));
