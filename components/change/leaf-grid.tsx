export type GridCell = {
  readonly leaf: string;
  readonly column: number;
  readonly look: "ok" | "open" | "fail" | "old" | "next" | "plan" | "run" | "ext";
  readonly glyph?: string;
  readonly title: string;
};
type Props = { leaves: readonly string[]; columns: readonly number[]; cells: readonly GridCell[]; current?: number | null; label: string };

const LEFT = 66;
const STEP = 19;
const ROW = 15;
/** More than this is a picture of nothing. */
const AT_MOST = 12_000;

/** Leaves down, batches across: filled is accepted, a glyph needs reading, an outline is not yet. */
export function LeafGrid({ leaves, columns, cells, current = null, label }: Props) {
  if (leaves.length * columns.length > AT_MOST)
    return (
      <p className="note">
        Too large to draw: {leaves.length} leaves and {columns.length} batches. The table below has all of it.
      </p>
    );
  const width = LEFT + columns.length * STEP + 4;
  const height = 18 + leaves.length * ROW;
  const every = columns.length > 40 ? 4 : 1;
  const rowOf = new Map(leaves.map((leaf, i) => [leaf, i]));
  const columnOf = new Map(columns.map((column, i) => [column, i]));
  return (
    <div className="scrollx" tabIndex={0} role="group" aria-label={label}>
      <svg
        className="fig leafgrid"
        viewBox={`0 0 ${width} ${height}`}
        style={{ maxWidth: width * 1.1, minWidth: Math.min(width, 520) }}
        role="img"
        aria-label={label}
      >
        {current !== null && columnOf.has(current) && (
          <rect className="g-col" x={LEFT + (columnOf.get(current) ?? 0) * STEP} y={0} width={STEP} height={height} />
        )}
        {columns.map((column, i) =>
          i % every === 0 ? (
            <text key={column} x={LEFT + i * STEP + STEP / 2} y={11} textAnchor="middle" className={column === current ? "s" : undefined}>
              {column}
            </text>
          ) : null,
        )}
        {leaves.map((leaf, i) => (
          <g key={leaf}>
            <text x={LEFT - 8} y={18 + i * ROW + 10} textAnchor="end">
              {leaf.length > 9 ? `${leaf.slice(0, 8)}…` : leaf}
            </text>
            <path className="hair" d={`M${LEFT} ${18 + i * ROW + 6.5}H${width - 4}`} />
          </g>
        ))}
        {cells.map((cell) => {
          const row = rowOf.get(cell.leaf);
          const column = columnOf.get(cell.column);
          if (row === undefined || column === undefined) return null;
          const x = LEFT + column * STEP + 2.5;
          const y = 18 + row * ROW + 1;
          return (
            <g key={`${cell.leaf} ${cell.column} ${cell.title}`}>
              <title>{cell.title}</title>
              <rect className={`c-${cell.look}`} x={x} y={y} width={14} height={11} rx={1.5} />
              {cell.glyph !== undefined && (
                <text className={`glyph ${GLYPH[cell.look]}`} x={x + 7} y={y + 9.3}>
                  {cell.glyph}
                </text>
              )}
            </g>
          );
        })}
      </svg>
    </div>
  );
}

const GLYPH = { ok: "k", open: "", fail: "f", old: "p", next: "p", plan: "p", run: "k", ext: "p" } as const;
