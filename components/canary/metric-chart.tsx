"use client";

import { CartesianGrid, Legend, Line, LineChart, ResponsiveContainer, Tooltip, XAxis, YAxis } from "recharts";

import { type MetricComparison } from "@/lib/core/acceptance/report";
import { figureText, sizeText } from "@/lib/core/kernel/figure-text";

/** Sizes along the bottom; per placement one line before and one after, and the limit under which a row fails. */
export function MetricChart({ rows }: { rows: readonly MetricComparison[] }) {
  const placements = [...new Set(rows.map(({ placement }) => placement))];
  const sizes = [...new Set(rows.map(({ bucket }) => bucket))].sort((a, b) => a - b);
  const points = sizes.map((bucket) => ({
    size: sizeText(bucket),
    ...Object.fromEntries(
      rows
        .filter((row) => row.bucket === bucket)
        .flatMap((row) => [
          [`before ${row.placement}`, row.baseline.median],
          [`after ${row.placement}`, row.measured.median],
          [`limit ${row.placement}`, (row.baseline.median * row.failAtOrBelowPct) / 100],
        ]),
    ),
  }));
  const unit = rows[0]?.unit ?? "";
  return (
    <div className="chart" aria-hidden="true">
      <ResponsiveContainer width="100%" height={220}>
        <LineChart data={points} margin={{ top: 8, right: 12, bottom: 0, left: 0 }} accessibilityLayer={false}>
          <CartesianGrid stroke="var(--hairline)" vertical={false} />
          <XAxis dataKey="size" stroke="var(--text-3)" fontSize={12} tickLine={false} />
          <YAxis
            stroke="var(--text-3)"
            fontSize={12}
            tickLine={false}
            domain={["auto", "auto"]}
            width={64}
            tickFormatter={(value: number) => figureText(value)}
            unit={` ${unit}`}
          />
          <Tooltip
            formatter={(value) => `${figureText(Number(value))} ${unit}`}
            contentStyle={{ background: "var(--surface)", border: "1px solid var(--line)", color: "var(--text)" }}
          />
          <Legend wrapperStyle={{ fontSize: 12 }} />
          {placements.flatMap((placement, i) => {
            const dash = i === 0 ? "" : "4 3";
            return [
              <Line
                key={`b${placement}`}
                dataKey={`before ${placement}`}
                stroke="var(--text-3)"
                strokeDasharray={dash}
                dot={{ r: 3, fill: "var(--surface)" }}
                isAnimationActive={false}
              />,
              <Line
                key={`a${placement}`}
                dataKey={`after ${placement}`}
                stroke="var(--accent)"
                strokeDasharray={dash}
                dot={{ r: 3, fill: "var(--accent)" }}
                isAnimationActive={false}
              />,
              <Line
                key={`l${placement}`}
                dataKey={`limit ${placement}`}
                stroke="var(--fail)"
                strokeDasharray={dash}
                dot={false}
                strokeWidth={1}
                isAnimationActive={false}
              />,
            ];
          })}
        </LineChart>
      </ResponsiveContainer>
    </div>
  );
}
