import type { Api } from "./crew";

/** Records a plan as this person and gives the change's id. */
export async function recordPlan(operator: Api, yaml: string): Promise<string> {
  const made = await operator.post("/changes", yaml);
  const id = made.body["id"];
  if (typeof id !== "string") throw new Error(`the plan was not recorded: ${JSON.stringify(made.body)}`);
  return id;
}
