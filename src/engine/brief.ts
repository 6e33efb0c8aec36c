import { dirname } from "node:path";
import { withBrief } from "../core/prompt/brief.ts";
import type { SessionState } from "../core/session/state.ts";
import type { EffectDeps } from "./executor.ts";

/** Writes the brief of a run once: it must not change after a message of this run was built from it. */
export async function writeBrief(deps: EffectDeps, session: SessionState, run: number): Promise<string> {
  const path = deps.briefFile(session.id, run);
  const { fs } = deps.host;
  if ((await fs.stat(path)) === null) {
    const brief = await deps.briefOf(session, run);
    await fs.makeDir(dirname(path), { mode: 0o700 });
    await fs.writeText(path, brief, { mode: 0o600 });
  }
  return path;
}

/** The text of a task for this agent: with the run's brief, unless the agent reads that itself. */
export async function taskText(deps: EffectDeps, session: SessionState, run: number, text: string): Promise<string> {
  if (deps.agentOf(session).readsBrief === true) return text;
  // Runs of a daemon without briefs have none.
  return withBrief(text, await deps.host.fs.readText(deps.briefFile(session.id, run)));
}
