import { type NextRequest, NextResponse } from "next/server";

import { paths } from "@/lib/client/paths";
import { contentSecurityPolicy, SECURITY_HEADERS } from "@/lib/server/content-security-policy";

/** What anybody may see; everything else sends people without a session to the sign-in page. The API and next-auth decide for themselves. */
const OPEN = /^\/(sign-in$|icon\.svg$|api\/auth\/|api\/v1\/)/;
const SESSION = /^(__Secure-)?next-auth\.session-token(\.\d+)?$/;

/** Gives every request a nonce, and every answer its policy and security headers. */
export function proxy(request: NextRequest): NextResponse {
  const nonce = Buffer.from(crypto.randomUUID()).toString("base64");
  const policy = contentSecurityPolicy({
    nonce,
    signInOrigin: originOf(process.env.CLEARANCE_OIDC_ISSUER),
    dev: process.env.NODE_ENV === "development",
  });
  const { pathname, search } = request.nextUrl;
  const known = request.cookies.getAll().some(({ name }) => SESSION.test(name));
  if (!known && !OPEN.test(pathname)) return secured(NextResponse.redirect(new URL(paths.signIn(pathname + search), request.url)), policy);
  const headers = new Headers(request.headers);
  headers.set("x-nonce", nonce);
  headers.set("content-security-policy", policy);
  return secured(NextResponse.next({ request: { headers } }), policy);
}

function secured(response: NextResponse, policy: string): NextResponse {
  response.headers.set("content-security-policy", policy);
  for (const [name, value] of Object.entries(SECURITY_HEADERS)) response.headers.set(name, value);
  return response;
}

const originOf = (issuer: string | undefined): string | null =>
  issuer !== undefined && URL.canParse(issuer) ? new URL(issuer).origin : null;

export const config = { matcher: ["/((?!_next/static|_next/image).*)"] };
