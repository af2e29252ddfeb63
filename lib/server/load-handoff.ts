import { notFound } from "next/navigation";

import { paths } from "@/lib/client/paths";
import { handoffMarkdown } from "@/lib/core/handoff/handoff-markdown";
import { showHandoff } from "@/lib/services/show-handoff";

import { requirePerson } from "./session";
import { wired } from "./wired";

/** One change for whoever takes it over, with the same as Markdown. */
export async function loadHandoff(id: string) {
  const person = await requirePerson(paths.handoff(id));
  const { deps } = await wired();
  const shown = await showHandoff(deps, id);
  if (!shown.ok) notFound();
  const { page, view } = shown.value;
  return { person, page, view, markdown: handoffMarkdown(page), now: new Date(page.at) };
}
