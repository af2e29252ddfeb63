import { type Metadata } from "next";

import { PlanEditor } from "@/components/plan/plan-editor";
import { loadNewChange } from "@/lib/server/load-new-change";

import { createPlan, previewPlan } from "./actions";

export const metadata: Metadata = { title: "New change" };

export default async function NewChangePage() {
  const { person, template } = await loadNewChange();
  const closed = person.roles.includes("operator") ? null : `Making a change needs an operator; ${person.name} is none.`;
  return <PlanEditor look={previewPlan} create={createPlan} template={template} closed={closed} />;
}
