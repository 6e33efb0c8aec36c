import type { ChangedFiles, Versions } from "../../../core/held/find-held.ts";
import type { ScmProject } from "../../../ports/scm.ts";
import { failure } from "../failure.ts";
import type { ScmTools } from "./tools.ts";

const MAX_BYTES = 4 * 1024 * 1024;

/** Files in the base, in the commit where a change left it, and in the change. */
export async function readVersions(
  tools: ScmTools,
  project: ScmProject,
  { head, base, paths }: ChangedFiles,
): Promise<readonly Versions[]> {
  const { stdout } = await tools.git({ cwd: project.path, args: ["merge-base", base, head], okCodes: [0, 1] });
  const fork = stdout.split("\n", 1)[0] ?? "";
  // Without a common commit everything is new.
  const commits = [base, fork === "" ? null : fork, head];
  const objects = paths.flatMap((path) => commits.map((commit) => (commit === null ? null : `${commit}:${path}`)));
  const ids = await findBlobs(tools, project, objects);
  const texts = await readBlobs(tools, project, [...new Set(ids.flatMap((id) => id ?? []))]);
  const textOf = (at: number): string | null => texts.get(ids[at] ?? "") ?? null;
  return paths.map((path, at) => ({
    path,
    base: textOf(at * 3),
    before: textOf(at * 3 + 1),
    after: textOf(at * 3 + 2),
  }));
}

/** The id of each blob; null: there is none. */
async function findBlobs(
  tools: ScmTools,
  { path: cwd }: ScmProject,
  objects: readonly (string | null)[],
): Promise<readonly (string | null)[]> {
  const names = objects.filter((object) => object !== null);
  const unreadable = names.find((name) => name.includes("\n"));
  if (unreadable !== undefined) throw tooOdd(`${unreadable} has a line break`);
  const args = ["cat-file", "--batch-check=%(objecttype) %(objectsize) %(objectname)"];
  const { stdout } = await tools.git({ cwd, args, stdin: names.map((name) => `${name}\n`).join("") });
  const lines = stdout.split("\n");
  let next = 0;
  return objects.map((object) => {
    if (object === null) return null;
    const [type, size, id = ""] = (lines[next++] ?? "").split(" ");
    if (type !== "blob") return null;
    if (Number(size) > MAX_BYTES) throw tooOdd(`${object} is larger than 4 MiB`);
    return id;
  });
}

async function readBlobs(
  tools: ScmTools,
  { path: cwd }: ScmProject,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (ids.length === 0) return new Map();
  const { stdout } = await tools.git({ cwd, args: ["cat-file", "--batch"], stdin: `${ids.join("\n")}\n` });
  const bytes = new TextEncoder().encode(stdout);
  const texts = new Map<string, string>();
  let at = 0;
  for (const id of ids) {
    const end = bytes.indexOf(10, at);
    const [name, , size] = new TextDecoder().decode(bytes.subarray(at, end)).split(" ");
    if (end === -1 || name !== id) throw tooOdd("a file is not UTF-8");
    at = end + 1 + Number(size);
    texts.set(id, new TextDecoder().decode(bytes.subarray(end + 1, at)));
    at += 1;
  }
  return texts;
}

function tooOdd(message: string): Error {
  return failure("git-failed", "unavailable", { message });
}
