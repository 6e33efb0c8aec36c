import type { CreateWorkspace, PreservedRef, WorkspaceRef } from "../../../ports/workspace.ts";
import type { LocalRef } from "../assess.ts";
import { refComponent } from "../preserved.ts";
import type { Tools } from "../tools.ts";
import { bring, FETCH } from "./transfer.ts";

// Marks that a later clone of the session was removed with nothing to keep, so that older refs are superseded.
const NOTHING = "nothing";

interface KeptRef {
  readonly ref: string;
  readonly object: string;
  readonly generation: number;
  /** After `refs/` in the clone; `stash/<n>` for a stash entry. */
  readonly name: string;
  readonly subject: string;
}

/** The ref prefix in the project for a clone's own branches, tags and stash. */
function keptPrefix(sessionId: string): string {
  return `refs/ao/kept/${refComponent(sessionId)}/`;
}

/** Saves the refs of a clone before its removal under `refs/ao/kept/<session>/<generation>/` of the project. */
export async function keepRefs(
  tools: Tools,
  ref: WorkspaceRef,
  { folder, refs }: { readonly folder: string; readonly refs: readonly LocalRef[] },
): Promise<void> {
  const cwd = ref.project.path;
  const prefix = `${keptPrefix(ref.sessionId)}${ref.generation}/`;
  const targets = Object.fromEntries(refs.map(({ name, object }) => [`${prefix}${name}`, object]));
  await bring(tools, { from: folder, to: cwd, sessionId: ref.sessionId }, targets);
  const kept = await listKept(tools, cwd, ref.sessionId);
  if (refs.length > 0 || kept.length === 0 || kept.some(({ generation }) => generation >= ref.generation)) return;
  await tools.git({ cwd, args: ["update-ref", `${prefix}${NOTHING}`, kept[0]?.object ?? ""] });
}

/** The kept refs that a restore uses: those of the last removed clone. */
async function listCurrent(tools: Tools, cwd: string, sessionId: string): Promise<readonly KeptRef[]> {
  const kept = await listKept(tools, cwd, sessionId);
  const last = Math.max(...kept.map(({ generation }) => generation));
  return kept.filter(({ generation, name }) => generation === last && name !== NOTHING);
}

/** The commit of a branch among the kept refs, or null. */
export async function findKeptBranch(tools: Tools, request: CreateWorkspace, branch: string): Promise<string | null> {
  const kept = await listCurrent(tools, request.project.path, request.sessionId);
  return kept.find(({ name }) => name === `heads/${branch}`)?.object ?? null;
}

/** Restores the refs of the session's last clone in a new one. */
export async function restoreKept(tools: Tools, request: CreateWorkspace, folder: string): Promise<void> {
  const project = request.project.path;
  const kept = await listCurrent(tools, project, request.sessionId);
  if (kept.length === 0) return;
  const refspecs = kept.map(({ ref, name }) => `+${ref}:refs/${name.startsWith("stash/") ? `ao/${name}` : name}`);
  await tools.git({ cwd: folder, args: [...FETCH, project, ...refspecs] });
  const stash = kept.filter(({ name }) => name.startsWith("stash/"));
  stash.sort((a, b) => numberOf(a) - numberOf(b));
  for (const { object, subject } of stash) {
    await tools.git({ cwd: folder, args: ["stash", "store", "-m", subject, object] });
  }
}

function numberOf({ name }: KeptRef): number {
  return Number(name.slice(name.lastIndexOf("/") + 1));
}

/** Deletes a session's kept refs, or only lists them. */
export async function dropKept(tools: Tools, ref: WorkspaceRef, dryRun: boolean): Promise<readonly PreservedRef[]> {
  const cwd = ref.project.path;
  const kept = await listKept(tools, cwd, ref.sessionId);
  if (!dryRun) {
    for (const one of kept) {
      await tools.git({ cwd, args: ["update-ref", "-d", one.ref, one.object], okCodes: [0, 1, 128] });
    }
  }
  return kept.filter(({ name }) => name !== NOTHING).map(({ ref: name, object }) => ({ ref: name, commit: object }));
}

async function listKept(tools: Tools, cwd: string, sessionId: string): Promise<readonly KeptRef[]> {
  const prefix = keptPrefix(sessionId);
  const format = "%(objectname)%09%(refname)%09%(contents:subject)";
  const { stdout } = await tools.git({ cwd, args: ["for-each-ref", `--format=${format}`, prefix] });
  return stdout.split("\n").flatMap((line) => {
    const [object = "", ref = "", ...subject] = line.split("\t");
    const [generation, ...name] = ref.slice(prefix.length).split("/");
    if (object === "") return [];
    return [{ ref, object, generation: Number(generation), name: name.join("/"), subject: subject.join("\t") }];
  });
}
