import { IconAlertTriangle } from "@tabler/icons-react";
import { type ReactNode } from "react";

/** Says, also to a screen reader, why signing in did not work. */
export function SignInFailed({ children }: { children: ReactNode }) {
  return (
    <p className="si-failed" role="alert">
      <IconAlertTriangle className="i" size={16} stroke={1.5} aria-hidden="true" />
      <span>{children}</span>
    </p>
  );
}
