import { z } from "zod";
import { PluginError } from "../../../core/errors.ts";
import type { WorkStage } from "../../../core/task/work-stage.ts";
import { type Access, requireRecord } from "./read.ts";
import { isClosed, type JiraIssue, Status } from "./record.ts";

const Transitions = z.object({
  transitions: z.array(z.object({ id: z.string(), name: z.string(), to: Status })),
});

const DEFAULT_CATEGORIES: Readonly<Record<string, readonly string[]>> = {
  open: ["new", "indeterminate"],
  closed: ["done"],
};

/** Uses the workflow transition to the wanted status; the available ones depend on the issue's current status. */
export async function transitTo(
  access: Access,
  issue: JiraIssue,
  wanted: keyof Access["config"]["states"],
): Promise<void> {
  const { client, config } = access;
  const path = `/issue/${issue.key}/transitions`;
  const { transitions } = await client.ask({ method: "GET", path, answer: Transitions });
  const name = config.states[wanted];
  const isNamed = (one: string): boolean => one.toLowerCase() === name?.toLowerCase();
  const categories = DEFAULT_CATEGORIES[wanted] ?? [];
  const found =
    name === undefined
      ? categories.flatMap((key) => transitions.filter(({ to }) => to.statusCategory.key === key))[0]
      : (transitions.find(({ to }) => isNamed(to.name)) ?? transitions.find((one) => isNamed(one.name)));
  if (found === undefined) {
    const there = transitions.map(({ to }) => to.name).join(", ") || "nowhere";
    throw new PluginError({
      plugin: "jira",
      category: "conflict",
      message: `The workflow does not lead ${issue.key} from ${issue.fields.status.name} to ${name ?? `a ${wanted} status`}.`,
      hint: `It leads to ${there}. Set \`states.${wanted}\` of the tracker, or move the issue in Jira.`,
    });
  }
  await client.ask({ method: "POST", path, body: { transition: { id: found.id } }, answer: z.unknown() });
}

/** Moves an issue forward; one that is closed, or that a person has moved further, stays where it is. */
export async function moveIssue(access: Access, id: string, stage: WorkStage): Promise<void> {
  const { working, [stage]: wanted } = access.config.states;
  if (wanted === undefined) return;
  const issue = await requireRecord(access, id);
  const { status } = issue.fields;
  const isAt = (name: string | undefined): boolean => status.name.toLowerCase() === name?.toLowerCase();
  if (isClosed(status) || isAt(wanted)) return;
  // In-progress statuses have no order of their own: only the one that this tracker sets itself is known to come first.
  const isBegun = status.statusCategory.key !== "new";
  if (isBegun && !(stage === "review" && (working === undefined || isAt(working)))) return;
  await transitTo(access, issue, stage);
}
