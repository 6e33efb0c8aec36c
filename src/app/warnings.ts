import { describeBaseWarning, describeMissing } from "../core/need/project-needs.ts";
import type { ProjectState } from "../core/project/state.ts";
import type { FindingView } from "../protocol/views/daemon.ts";
import { listForeign } from "../providers/git/programs.ts";
import type { Kernel } from "./kernel.ts";

/** A lag that NTP corrects by itself is not worth a warning. */
const WORTH_TELLING_MS = 60_000;

/**
 * What works but needs attention: a wrong clock, sessions that the store had lost, a repository that is gone or whose
 * default branch was rewritten, programs in git's settings, a forge that does not answer.
 */
export function findWarnings(kernel: Pick<Kernel, "engine" | "adopted" | "paths" | "host">): readonly FindingView[] {
  const { engine, adopted, paths, host } = kernel;
  const warnings: FindingView[] = [];
  const starter = host.env["AO_STARTED_BY"] ?? "";
  if (starter !== "") {
    const text = `A command in session ${starter} started this daemon, so it lacks variables from your shell, such as keys.`;
    warnings.push({ name: "daemon", state: "warn", text, fix: "In your own shell: `ao stop`, then `ao start`." });
  }
  const lagMs = engine.loop.now() - Date.now();
  if (lagMs >= WORTH_TELLING_MS) {
    const text = `The clock of this machine is ${Math.round(lagMs / 60_000)} min behind the newest event: it was set back, or was wrong before. Retries and deadlines continue by elapsed time.`;
    warnings.push({ name: "clock", state: "warn", text, fix: "Check the date and NTP: `timedatectl`." });
  }
  if (adopted.length > 0) {
    const text = `The store had lost ${adopted.length === 1 ? "1 session" : `${adopted.length} sessions`}, recovered from disk: ${adopted.join(", ")}. Queued messages and the timeline are gone.`;
    warnings.push({
      name: "store",
      state: "warn",
      text,
      fix: `Do not copy or delete ${paths.database} without its -wal file.`,
    });
  }
  for (const project of engine.loop.world.view.projects()) warnings.push(...warningsOf(project));
  for (const text of listForeign()) {
    warnings.push({ name: "git programs", state: "warn", text, fix: "Look at .git/config and .git/hooks." });
  }
  for (const { projectId, since, message, hint } of engine.forgeTroubles()) {
    const minutes = Math.max(1, Math.round((engine.loop.now() - since) / 60_000));
    const text = `Pull requests of ${projectId} could not be read for ${minutes} min: ${message}`;
    warnings.push({ name: `pull requests of ${projectId}`, state: "warn", text, fix: hint });
  }
  return warnings;
}

function warningsOf(project: ProjectState): readonly FindingView[] {
  const { id, removed, missing = null, baseWarning = null } = project;
  if (removed) return [];
  const name = `repository of ${id}`;
  if (missing !== null) return [{ name, state: "warn", text: describeMissing(project), fix: null }];
  if (baseWarning === null) return [];
  const fix = `ao ack ${id}/base-${baseWarning.kind}`;
  return [{ name, state: "warn", text: describeBaseWarning(project, baseWarning), fix }];
}
