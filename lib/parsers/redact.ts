/** Secrets in known forms. Each pattern keeps what names the secret and takes out the secret itself. */
const PATTERNS: readonly RegExp[] = [
  /(-----BEGIN [A-Z ]*PRIVATE KEY-----)[\s\S]*?(?=-----END|$)/g,
  /(\b(?:authorization|proxy-authorization)\s*[:=]\s*(?:bearer|basic)\s+)[A-Za-z0-9._~+/=-]+/gi,
  /(\b[A-Za-z0-9_]*(?:SECRET|TOKEN|PASSWORD|PASSWD|API_?KEY|ROUTING_KEY|SLURM_JWT|CREDENTIAL)[A-Za-z0-9_]*["']?\s*[:=]\s*["']?)[^\s"',}]+/gi,
  /()\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]*/g,
  /(\bAKIA)[A-Z0-9]{16}\b/g,
];

/**
 * Takes secrets out of a tool's output before it is stored for good. Works on bytes as they came (one byte, one character), so nothing else
 * is changed. `redactions` counts what was taken out and is shown beside the evidence.
 */
export function redact(bytes: Uint8Array): { readonly bytes: Uint8Array; readonly redactions: number } {
  let text = "";
  for (let at = 0; at < bytes.length; at += 8192) text += String.fromCharCode(...bytes.subarray(at, at + 8192));
  let redactions = 0;
  for (const pattern of PATTERNS) {
    text = text.replace(pattern, (_whole, kept: string) => {
      redactions += 1;
      return `${kept}[redacted]`;
    });
  }
  if (redactions === 0) return { bytes, redactions };
  return { bytes: Uint8Array.from(text, (character) => character.charCodeAt(0)), redactions };
}
