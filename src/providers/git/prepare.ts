import type { CreateWorkspace } from "../../ports/workspace.ts";
import { runUserCommand } from "./command.ts";
import { copyIgnored } from "./copy-ignored.ts";
import { addExcludes, exactPattern } from "./exclude.ts";
import { splitNul } from "./git.ts";
import { copyIncluded } from "./include.ts";
import type { Place } from "./layout.ts";
import type { Marker } from "./marker.ts";
import { sharedDirOf } from "./repository.ts";
import { linkShared } from "./symlink.ts";
import type { Tools } from "./tools.ts";

/** A checkout whose content is complete. */
export interface Made {
  readonly gitDir: string;
  readonly marker: Marker;
}

/** Adds what git does not provide: included files, links, and the results of postCreate. Idempotent. */
export async function prepareContent(
  tools: Tools,
  place: Place,
  { made, request }: { readonly made: Made; readonly request: CreateWorkspace },
): Promise<string[]> {
  const { project } = request;
  // Runs before the included files, which would otherwise be copied one by one from the same folders.
  const copied = await copyIgnored(tools, project, place.path);
  const included = await copyIncluded(tools, project, place.path);
  const linked = await linkShared(tools, project, place.path);
  await hideFromGit(tools, place, {
    sharedDir: sharedDirOf(made.gitDir),
    paths: [...copied.paths, ...included.paths, ...linked.paths],
  });
  const env = {
    ...request.env,
    AO_INTENT: request.intentId,
    AO_ATTEMPT: String(request.attempt),
    AO_SESSION: request.sessionId,
  };
  // A command such as `npm ci` starts what the files name, and those may be an agent's by now.
  const enclose = isBaseOnly(made, request) ? undefined : request.enclose;
  for (const command of project.postCreate ?? []) {
    const timeoutMs = tools.config.postCreateTimeoutMs;
    await runUserCommand(tools, "postCreate", { command, cwd: place.path, env, timeoutMs, enclose });
  }
  return [...copied.notes, ...included.notes, ...linked.notes];
}

function isBaseOnly({ marker }: Made, { isOtherBase }: CreateWorkspace): boolean {
  return isOtherBase !== true && marker.restoredFrom === null && marker.content === marker.baseCommit;
}

async function hideFromGit(
  tools: Tools,
  place: Place,
  { sharedDir, paths }: { readonly sharedDir: string; readonly paths: readonly string[] },
): Promise<void> {
  if (paths.length === 0) return;
  const stdin = paths.map((path) => `${path}\0`).join("");
  const args = ["check-ignore", "-z", "--stdin"];
  const { stdout } = await tools.git({ cwd: place.path, args, stdin, okCodes: [0, 1] });
  const ignored = new Set(splitNul(stdout));
  // A name with a line break cannot be written as a pattern.
  const shown = paths.filter((path) => !ignored.has(path) && !path.includes("\n"));
  await addExcludes(tools.host.fs, tools.lane, { commonDir: sharedDir, patterns: shown.map(exactPattern) });
}
