import { IconAlertHexagon, IconCircleX, IconInfoCircle } from "@tabler/icons-react";
import { type ReactNode } from "react";

type Props = { tone: "open" | "fail" | "plain"; children: ReactNode; end?: ReactNode; alert?: boolean };

/** Says what is wrong or missing, and what to do about it. */
export function Notice({ tone, children, end, alert = false }: Props) {
  const Glyph = tone === "fail" ? IconCircleX : tone === "open" ? IconAlertHexagon : IconInfoCircle;
  return (
    <div className={tone === "plain" ? "say" : `say ${tone}`} role={alert ? "alert" : undefined}>
      <Glyph className="i" size={16} stroke={1.5} aria-hidden="true" />
      <div>{children}</div>
      {end !== undefined && <div>{end}</div>}
    </div>
  );
}
