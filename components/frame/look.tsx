"use client";

import { MantineProvider } from "@mantine/core";
import { setNonce } from "get-nonce";
import { type ReactNode } from "react";

import { surfaces, theme } from "@/components/ui/theme";

/** The component library in our tokens. The nonce goes to every style it makes, the scroll lock's included, or the page's policy refuses them. */
export function Look({ nonce, children }: { nonce: string; children: ReactNode }) {
  setNonce(nonce);
  return (
    <MantineProvider theme={theme} cssVariablesResolver={surfaces} defaultColorScheme="auto" getStyleNonce={() => nonce}>
      {children}
    </MantineProvider>
  );
}
