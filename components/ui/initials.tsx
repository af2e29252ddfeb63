/** A person as initials in a ring; the name stands beside it or in the label. */
export function Initials({ name, small = false }: { name: string; small?: boolean }) {
  const words = name.trim().split(/\s+/);
  const letters = words.length > 1 ? words.map((word) => word.charAt(0)).join("") : name.trim();
  return (
    <span className={small ? "ini s" : "ini"} aria-hidden="true">
      {letters.slice(0, 2).toUpperCase()}
    </span>
  );
}
