import type { Script } from "../../agents/support/model-server.ts";
import type { Step } from "../../agents/support/steps.ts";

export interface Job {
  readonly title: string;
  readonly edit: { readonly path: string; readonly text: string };
  /** The command that commits. */
  readonly commit: string;
}

/**
 * A model that does only what it is asked, as Claude Code's own instructions say ("Commit or push only when
 * the user asks"): it edits the file, and commits only if somebody asked for a commit.
 */
export function carefulModel(job: Job): Script {
  return ({ turns }, body) => {
    const isAsked = turns.some(({ by, text }) => by === "user" && text.includes(job.title));
    const steps: readonly Step[] = isAsked ? stepsOf(job, asksForCommit(body)) : [];
    return steps[turns.filter(({ by }) => by === "tool").length] ?? say("Done.");
  };
}

function stepsOf({ edit, commit }: Job, commits: boolean): readonly Step[] {
  const write: Step = { kind: "tool", name: "Write", input: { file_path: edit.path, content: edit.text }, hold: null };
  return [write, ...(commits ? [{ kind: "run", command: commit, hold: null } as const] : [])];
}

function asksForCommit(body: unknown): boolean {
  const { system, messages } = body as { readonly system?: unknown; readonly messages?: unknown };
  return /\bcommit (all (of )?)?(your|the) (work|changes)\b/i.test(JSON.stringify([system, messages]));
}

function say(text: string): Step {
  return { kind: "say", text, hold: null };
}
