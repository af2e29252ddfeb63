import { type ReactNode } from "react";

type Props = {
  /** What this is, small. */ title: ReactNode;
  before?: ReactNode;
  /** Where it stands, large. */ answer: ReactNode;
  /** What is next, and who. */ then?: ReactNode;
  tools?: ReactNode;
  children?: ReactNode;
};

/** The head of a page: the noun small, the answer large, the actions of the page after it in the document. */
export function PageHead({ title, before, answer, then, tools, children }: Props) {
  return (
    <header className="head">
      <div className="crumb">
        {before}
        <h1>{title}</h1>
      </div>
      <p className="answer">
        {answer} {then !== undefined && <span className="then">{then}</span>}
      </p>
      {tools !== undefined && <div className="tools">{tools}</div>}
      {children}
    </header>
  );
}
