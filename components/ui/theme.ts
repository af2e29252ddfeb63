import { createTheme, type CSSVariablesResolver, type MantineColorsTuple } from "@mantine/core";

const scale = (name: string): MantineColorsTuple =>
  [0, 1, 2, 3, 4, 5, 6, 7, 8, 9].map((step) => `var(--${name}-${step})`) as unknown as MantineColorsTuple;

/** The component library in our tokens: small radii, no shadows, nothing set in capitals, the accent only on what can be pressed. */
export const theme = createTheme({
  colors: { neutral: scale("neutral"), accent: scale("accent") },
  primaryColor: "accent",
  primaryShade: 6,
  fontFamily: "var(--font)",
  fontFamilyMonospace: "var(--mono)",
  fontSizes: { xs: "12px", sm: "13px", md: "14px", lg: "16px", xl: "20px" },
  lineHeights: { xs: "16px", sm: "20px", md: "20px", lg: "24px", xl: "28px" },
  radius: { xs: "2px", sm: "4px", md: "4px", lg: "6px", xl: "6px" },
  defaultRadius: "sm",
  spacing: { xs: "4px", sm: "8px", md: "12px", lg: "16px", xl: "24px" },
  shadows: { xs: "none", sm: "none", md: "none", lg: "none", xl: "var(--shadow-over)" },
  cursorType: "pointer",
  respectReducedMotion: true,
  components: {
    Button: { defaultProps: { size: "sm", fw: 500 } },
    Badge: { defaultProps: { tt: "none", radius: "sm" } },
  },
});

const SURFACES = {
  "--mantine-color-body": "var(--surface)",
  "--mantine-color-text": "var(--text)",
  "--mantine-color-dimmed": "var(--text-3)",
  "--mantine-color-default": "var(--surface)",
  "--mantine-color-default-hover": "var(--hover)",
  "--mantine-color-default-border": "var(--line-strong)",
  "--mantine-color-anchor": "var(--accent)",
  "--mantine-color-error": "var(--fail)",
  "--mantine-color-placeholder": "var(--text-3)",
};

/** Dialogs, drawers and lists of the library stand on our surfaces, in both schemes. */
export const surfaces: CSSVariablesResolver = () => ({ variables: {}, light: SURFACES, dark: SURFACES });
