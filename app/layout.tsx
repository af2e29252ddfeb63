import "@mantine/core/styles.layer.css";
import "@mantine/spotlight/styles.layer.css";
import "./styles/tokens.css";
import "./styles/base.css";
import "./styles/frame.css";
import "./styles/page.css";
import "./styles/lists.css";
import "./styles/figures.css";
import "./styles/forms.css";
import "./styles/handoff.css";
import "./styles/canary.css";
import "./styles/phone.css";
import "./styles/print.css";

import { ColorSchemeScript, mantineHtmlProps } from "@mantine/core";
import { type Metadata } from "next";
import { headers } from "next/headers";
import { type ReactNode } from "react";

import { Look } from "@/components/frame/look";

export const metadata: Metadata = { title: { default: "Clearance", template: "%s · Clearance" }, robots: { index: false } };

export default async function RootLayout({ children }: { children: ReactNode }) {
  const nonce = (await headers()).get("x-nonce") ?? "";
  return (
    <html lang="en" {...mantineHtmlProps}>
      <head>
        <ColorSchemeScript nonce={nonce} defaultColorScheme="auto" />
      </head>
      <body>
        <Look nonce={nonce}>{children}</Look>
      </body>
    </html>
  );
}
