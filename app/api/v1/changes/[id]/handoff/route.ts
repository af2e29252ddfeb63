import { handoffMarkdown } from "@/lib/core/handoff/handoff-markdown";
import { answer } from "@/lib/server/api/answer";
import { apiRoute } from "@/lib/server/api/api-route";
import { problem, refused } from "@/lib/server/api/problem";
import { showHandoff } from "@/lib/services/show-handoff";

const FORMATS = ["json", "md"];

/** What the next shift reads, as JSON or as Markdown. */
export const GET = apiRoute<{ id: string }>(
  async ({ deps, params, url }) => {
    const format = url.searchParams.get("format") ?? "json";
    if (!FORMATS.includes(format))
      return problem(400, "invalid", "The input is not usable", "The query string cannot be used.", [
        `format: json or md, not "${format}"`,
      ]);
    const shown = await showHandoff(deps, params.id);
    if (!shown.ok) return refused(shown.error);
    const { page } = shown.value;
    if (format === "json") return answer(page);
    return new Response(handoffMarkdown(page), {
      headers: { "content-type": "text/markdown; charset=utf-8", "cache-control": "no-store" },
    });
  },
  ["format"],
);
