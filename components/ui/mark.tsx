/** The mark: a loading gauge and the load that passes under it. Drawn in the colour of the text around it. */
export function Mark() {
  return (
    <svg viewBox="0 0 18 18" aria-hidden="true">
      <path d="M2 16.5V2.5h14v14" fill="none" stroke="currentColor" strokeWidth="2" />
      <path d="M5.5 6.5h7v10h-7z" fill="currentColor" />
    </svg>
  );
}
