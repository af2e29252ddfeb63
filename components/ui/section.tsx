import { type ReactNode } from "react";

type Props = { title: string; id?: string; meta?: ReactNode; end?: ReactNode; children: ReactNode };

/** A part of a page under its own heading. */
export function Section({ title, id, meta, end, children }: Props) {
  return (
    <section className="sec" id={id} aria-label={title}>
      <header>
        <h2>{title}</h2>
        {meta !== undefined && <span className="meta">{meta}</span>}
        {end !== undefined && <span className="end">{end}</span>}
      </header>
      {children}
    </section>
  );
}
