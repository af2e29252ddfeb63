type Policy = {
  readonly nonce: string;
  /** Origin of the OpenID provider: the sign-in form is redirected there, which `form-action` also rules. */
  readonly signInOrigin: string | null;
  /** The development build of the pages evaluates code. */
  readonly dev: boolean;
};

/**
 * What a page of the console may load and run. Style attributes stay allowed because the component library sizes things by them; style elements and
 * scripts need the nonce of their request.
 */
export function contentSecurityPolicy({ nonce, signInOrigin, dev }: Policy): string {
  const rules = {
    "default-src": "'self'",
    "script-src": `'self' 'nonce-${nonce}' 'strict-dynamic'${dev ? " 'unsafe-eval'" : ""}`,
    // The development build shows its own faults in elements without a nonce.
    "style-src": dev ? "'self' 'unsafe-inline'" : `'self' 'nonce-${nonce}'`,
    "style-src-attr": "'unsafe-inline'",
    "img-src": "'self' data: blob:",
    "font-src": "'self'",
    "connect-src": dev ? "'self' ws:" : "'self'",
    "object-src": "'none'",
    "base-uri": "'none'",
    "form-action": signInOrigin === null ? "'self'" : `'self' ${signInOrigin}`,
    "frame-ancestors": "'none'",
  };
  return Object.entries(rules)
    .map(([name, value]) => `${name} ${value}`)
    .join("; ");
}

/** For every answer, pages or not. */
export const SECURITY_HEADERS: Readonly<Record<string, string>> = {
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  "referrer-policy": "same-origin",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "permissions-policy": "camera=(), microphone=(), geolocation=(), payment=(), usb=()",
};
