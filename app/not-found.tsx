import { paths } from "@/lib/client/paths";

export default function NotFound() {
  return (
    <main className="page">
      <h1 className="answer">
        Nothing stands at this address. <span className="then">It may have been mistyped, or the record has no such thing.</span>
      </h1>
      <p className="note">
        <a href={paths.changes()}>All changes</a>
      </p>
    </main>
  );
}
