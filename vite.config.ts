import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

export default defineConfig(({ isSsrBuild }) => ({
  root: isSsrBuild ? "." : "client",
  plugins: isSsrBuild ? [] : [react()],
  build: {
    outDir: isSsrBuild ? "dist/server" : "../dist/client",
    emptyOutDir: true,
    target: isSsrBuild ? "node20" : "es2022",
    // Stack traces of a money system must name the source line; the browser gets no maps.
    sourcemap: isSsrBuild === true,
  },
}));
