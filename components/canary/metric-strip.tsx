import { type MetricComparison } from "@/lib/core/acceptance/report";
import { figureText } from "@/lib/core/kernel/figure-text";

const [WIDE, LEFT, RIGHT] = [720, 8, 712];

/** One row before and after on one axis, with the limit: hollow is before, filled is after, the bar is how far the runs lie apart. */
export function MetricStrip({ row }: { row: MetricComparison }) {
  const { baseline, measured, failAtOrBelowPct, warnBelowPct } = row;
  const limit = (baseline.median * failAtOrBelowPct) / 100;
  const warn = (baseline.median * warnBelowPct) / 100;
  const ends = [baseline, measured].flatMap(({ median, spread }) => [median - spread, median + spread]);
  const [low, high] = [Math.min(limit, ...ends), Math.max(limit, ...ends)];
  const margin = (high - low || Math.abs(high) || 1) * 0.08;
  const [from, until] = [low - margin, high + margin];
  if (![from, until].every(Number.isFinite)) return null;
  const x = (value: number): number => LEFT + ((value - from) / (until - from)) * (RIGHT - LEFT);
  return (
    <div className="scrollx" tabIndex={0} role="group" aria-label={`${row.metric} before and after`}>
      <svg
        className="fig"
        viewBox={`0 0 ${WIDE} 74`}
        role="img"
        aria-label={`before ${figureText(baseline.median)}, after ${figureText(measured.median)}, limit ${figureText(limit)} ${row.unit}`}
      >
        <rect className="zone" x={x(from)} y="18" width={Math.max(0, x(limit) - x(from))} height="36" />
        <path className="limit" d={`M${x(limit)} 14V54`} />
        <text className="s" x={x(limit) + 4} y="11">
          limit {figureText(limit)}
        </text>
        {warnBelowPct > failAtOrBelowPct && <path className="warnl" d={`M${x(warn)} 18V54`} />}
        <path className="hair" d={`M${LEFT} 54H${RIGHT}`} />
        <Runs
          at={x(baseline.median)}
          from={x(baseline.median - baseline.spread)}
          until={x(baseline.median + baseline.spread)}
          y={28}
          look="dot-before"
        />
        <Runs
          at={x(measured.median)}
          from={x(measured.median - measured.spread)}
          until={x(measured.median + measured.spread)}
          y={43}
          look="dot-after"
        />
        <text x={LEFT} y="68">
          {figureText(Math.round(from * 10) / 10)}
        </text>
        <text x={RIGHT} y="68" textAnchor="end">
          {figureText(Math.round(until * 10) / 10)} {row.unit}
        </text>
      </svg>
    </div>
  );
}

function Runs({ at, from, until, y, look }: { at: number; from: number; until: number; y: number; look: string }) {
  return (
    <g className={look}>
      <path d={`M${from} ${y}H${until}`} />
      <circle cx={at} cy={y} r="4" />
    </g>
  );
}
