import { localStorageColorSchemeManager, MantineProvider } from "@mantine/core";
import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { cssVariables, theme } from "../ui/theme.ts";
import { LiveProvider } from "./live.tsx";
import { router } from "./router.tsx";
import { queryClient } from "./trpc.ts";

// The key that public/boot.js reads before the first paint.
const colorScheme = localStorageColorSchemeManager({ key: "mantine-color-scheme-value" });

export function Providers() {
  return (
    <QueryClientProvider client={queryClient}>
      <MantineProvider
        theme={theme}
        cssVariablesResolver={cssVariables}
        colorSchemeManager={colorScheme}
        defaultColorScheme="auto"
      >
        <LiveProvider>
          <RouterProvider router={router} />
        </LiveProvider>
      </MantineProvider>
    </QueryClientProvider>
  );
}
