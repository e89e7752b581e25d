import { type CSSVariablesResolver, createTheme, type MantineColorsTuple } from "@mantine/core";

// Mantine wants ten shades. Ours is one accent per theme, chosen in tokens.css, so every shade is that one.
const ACCENT: MantineColorsTuple = [
  "var(--accent-bg)",
  "var(--accent-bg)",
  "var(--accent-bg)",
  "var(--accent)",
  "var(--accent)",
  "var(--accent)",
  "var(--accent)",
  "var(--accent-strong)",
  "var(--accent-strong)",
  "var(--accent-strong)",
];

/** Mantine's theme, made of the names in tokens.css and of nothing else. */
export const theme = createTheme({
  primaryColor: "accent",
  colors: { accent: ACCENT },
  fontFamily: "var(--font)",
  fontFamilyMonospace: "var(--font-mono)",
  defaultRadius: "var(--radius)",
  cursorType: "pointer",
  fontSizes: {
    xs: "var(--text-small)",
    sm: "var(--text)",
    md: "var(--text)",
    lg: "var(--text-large)",
    xl: "var(--text-title)",
  },
  // By name and not by import, so that a page loads only the controls it draws.
  components: {
    Button: { defaultProps: { variant: "default" } },
    Menu: {
      defaultProps: {
        shadow: "none",
        transitionProps: { duration: 90 },
        withinPortal: false,
        // A menu may contain items only; the focus goes to the first of them.
        withInitialFocusPlaceholder: false,
      },
    },
    Modal: { defaultProps: { shadow: "none", transitionProps: { duration: 120 } } },
    Tooltip: {
      defaultProps: {
        withArrow: true,
        multiline: true,
        maw: 280,
        events: { hover: true, focus: true, touch: true },
      },
    },
  },
});

const OURS = {
  "--mantine-color-body": "var(--surface)",
  "--mantine-color-text": "var(--ink)",
  "--mantine-color-dimmed": "var(--ink-3)",
  "--mantine-color-placeholder": "var(--ink-3)",
  "--mantine-color-anchor": "var(--accent)",
  "--mantine-color-error": "var(--dead)",
  "--mantine-color-default": "var(--surface)",
  "--mantine-color-default-hover": "var(--hover)",
  "--mantine-color-default-color": "var(--ink)",
  "--mantine-color-default-border": "var(--line-strong)",
  "--mantine-color-disabled": "var(--sunken)",
  "--mantine-color-disabled-color": "var(--ink-3)",
  "--mantine-color-disabled-border": "var(--line)",
  "--mantine-primary-color-filled": "var(--accent)",
  "--mantine-primary-color-filled-hover": "var(--accent-strong)",
  "--mantine-primary-color-contrast": "var(--on-accent)",
};

// Both lists, since Mantine's own values for a theme stand in that theme's list and would win over the common one.
export const cssVariables: CSSVariablesResolver = () => ({ variables: {}, light: OURS, dark: OURS });
