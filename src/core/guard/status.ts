import { nameOfChange } from "../change/key.ts";
import { shortCommit } from "../hash.ts";
import type { ProjectState } from "../project/state.ts";
import type { World } from "../world.ts";
import { judgeMain, mainChecks } from "./guard.ts";
import type { BrokenMain } from "./state.ts";

/** The state of a project's base, for people; `text` completes a sentence that starts with its name. */
export interface MainHealth {
  readonly state: "checking" | "green" | "red" | "unknown";
  readonly text: string;
}

/** The state of the base according to its own checks; null: none of them runs. */
export function healthOfMain(world: World, project: ProjectState): MainHealth | null {
  const { policy, main } = project;
  if (policy === null || main === undefined || mainChecks(policy).length === 0) return null;
  const { watched, broken } = main;
  if (broken !== null) return { state: "red", text: describeBroken(world, broken) };
  const verdict = judgeMain(project, policy);
  if (verdict === "green") return { state: "green", text: `is green at ${shortCommit(watched ?? "")}` };
  if (verdict === "pending") return { state: "checking", text: `is being checked at ${shortCommit(watched ?? "")}` };
  return { state: "unknown", text: `could not be checked at ${shortCommit(watched ?? "")}` };
}

function describeBroken(world: World, { check, commit, culprit, revert, failure }: BrokenMain): string {
  const red = `is red at ${shortCommit(commit)}: check \`${check}\``;
  if (culprit === null) return `${red}; looking for the merge that broke it`;
  if (culprit.key === null) return `${red}; no merge by ao is known to have broken it`;
  const done = revert !== null ? `, reverted as ${shortCommit(revert)}` : failure === null ? "" : `; ${failure}`;
  return `${red}, since ${nameOfChange(world, culprit.key)}${done}`;
}
