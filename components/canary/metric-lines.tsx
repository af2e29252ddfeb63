"use client";

import dynamic from "next/dynamic";

import { type MetricComparison } from "@/lib/core/acceptance/report";

/** Loaded when it is looked at: the drawing library is larger than the page. The table of rows says the same. */
const Chart = dynamic(() => import("./metric-chart").then(({ MetricChart }) => MetricChart), {
  ssr: false,
  loading: () => <div className="chart" role="status" aria-label="The chart is being loaded" />,
});

/** A metric over the message sizes, before and after, with its limit. */
export function MetricLines({ rows }: { rows: readonly MetricComparison[] }) {
  return <Chart rows={rows} />;
}
