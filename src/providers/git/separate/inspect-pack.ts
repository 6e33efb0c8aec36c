import { join } from "node:path";
import { tailOf } from "../failure.ts";
import type { GitCall } from "../git.ts";
import { quotePath } from "../scm/merge-tree.ts";
import type { Tools } from "../tools.ts";
import { RefusedContent } from "./refused-content.ts";

/** Where received objects are checked before the project gets them. */
export interface Quarantine {
  readonly folder: string;
  /** The pack as it was sent. */
  readonly pack: string;
  /** The checked objects. */
  readonly objects: string;
  /** The project's objects. */
  readonly shared: string;
}

interface Received {
  readonly to: string;
  readonly objects: readonly string[];
  readonly since?: string | undefined;
}

const MAX_CONTENT_BYTES = 8 * 1024 ** 3;
const MAX_TREE_BYTES = 64 * 1024 ** 2;
const MAX_OBJECTS = 2_000_000;
const MAX_PATH_BYTES = 4096;
const MAX_CHANGED_FILES = 500_000;

/** One thread, and large files in pieces: the memory used does not grow with what an agent sent. */
const FRUGAL = ["core.bigFileThreshold=32m", "pack.threads=1"].flatMap((setting) => ["-c", setting]);

const COMPARE_SIZES = [
  `$1 == "tree" && $2 > ${MAX_TREE_BYTES} { print "a folder has too many entries"; exit }`,
  "{ total += $2; count += 1 }",
  `total > ${MAX_CONTENT_BYTES} { print "their content is larger than 8 GiB"; exit }`,
  `count > ${MAX_OBJECTS} { print "there are more than ${MAX_OBJECTS} objects"; exit }`,
].join("\n");

/** Checks every object of a received pack and everything it refers to; returns the pack's name. */
export async function inspectPack(tools: Tools, request: Received, quarantine: Quarantine): Promise<string> {
  const name = await indexPack(tools, request, quarantine);
  await checkSizes(tools, request, quarantine);
  await checkHistory(tools, request, quarantine);
  await checkFiles(tools, request, quarantine);
  return name;
}

function inQuarantine(
  { to }: Received,
  { objects, shared, pack }: Quarantine,
): Pick<GitCall, "cwd"> & {
  readonly env: Readonly<Record<string, string>>;
} {
  const env = { GIT_OBJECT_DIRECTORY: objects, GIT_ALTERNATE_OBJECT_DIRECTORIES: quotePath(shared), PACK: pack };
  return { cwd: to, env };
}

// Names follow from contents here: an object whose file was replaced gets another name, and is missing in the end.
export async function indexPack(tools: Tools, request: Received, quarantine: Quarantine): Promise<string> {
  const packs = await tools.host.fs.list(join(quarantine.shared, "pack"));
  // In a partial clone, git would fetch each absent object that a new one refers to.
  const isPartial = packs.some((file) => file.endsWith(".promisor"));
  const done = await tools.git({
    ...inQuarantine(request, quarantine),
    args: [...FRUGAL, "index-pack", "--stdin", isPartial ? "--fsck-objects" : "--strict", "--threads=1"],
    script: 'git "$@" < "$PACK"',
    okCodes: [0, 1, 128],
  });
  const name = /\b(?:pack|keep)\t([0-9a-f]+)/.exec(done.stdout)?.[1];
  if (done.code === 0 && name !== undefined) return `pack-${name}`;
  throw new RefusedContent(tailOf(done.stderr, 3, 400).replace(/^(error|fatal): /gm, ""));
}

async function checkSizes(tools: Tools, request: Received, quarantine: Quarantine): Promise<void> {
  const { env, cwd } = inQuarantine(request, quarantine);
  const { stdout, stderr } = await tools.git({
    cwd,
    // Without the project's objects, so that only the received ones are listed.
    env: { ...env, GIT_ALTERNATE_OBJECT_DIRECTORIES: "", PROGRAM: COMPARE_SIZES },
    args: ["cat-file", "--batch-all-objects", "--unordered", "--batch-check=%(objecttype) %(objectsize)"],
    script: '{ git "$@"; echo "exit $?" >&2; } | awk "$PROGRAM"',
  });
  if (stdout.trim() !== "") throw new RefusedContent(stdout.trim());
  requireEnd(stderr, "cannot be listed");
}

/** Is everything there that the objects refer to, directly or not? */
async function checkHistory(tools: Tools, request: Received, quarantine: Quarantine): Promise<void> {
  const { env, cwd } = inQuarantine(request, quarantine);
  const { stdout, stderr } = await tools.git({
    cwd,
    env: { ...env, PROGRAM: `length($0) > ${MAX_PATH_BYTES} { print "long"; exit }` },
    args: ["rev-list", "--objects", "--missing=allow-promisor", "--stdin", "--not", "--all"],
    script: '{ git "$@"; echo "exit $?" >&2; } | awk "$PROGRAM"',
    stdin: request.objects.map((object) => `${object}\n`).join(""),
  });
  if (stdout.trim() !== "") throw new RefusedContent(`a path in them is longer than ${MAX_PATH_BYTES} bytes`);
  requireEnd(stderr, "are not complete");
}

/** A few small folders that contain each other many times are a huge number of files once checked out. */
async function checkFiles(tools: Tools, request: Received, quarantine: Quarantine): Promise<void> {
  const { since, objects } = request;
  if (since === undefined || objects[0] === undefined) return;
  const { env, cwd } = inQuarantine(request, quarantine);
  const { stdout, stderr } = await tools.git({
    cwd,
    env: { ...env, LIMIT: String(MAX_CHANGED_FILES + 1) },
    args: ["diff-tree", "-r", "--no-renames", "--name-only", since, objects[0]],
    script: '{ git "$@"; echo "exit $?" >&2; } | head -n "$LIMIT" | wc -l',
  });
  if (Number(stdout) > MAX_CHANGED_FILES) throw new RefusedContent(`they change more than ${MAX_CHANGED_FILES} files`);
  requireEnd(stderr, "cannot be compared with the branch");
}

/** Nothing was sent, so refs of the project must have everything: what none of them names may be incomplete. */
export async function requireKnown(tools: Tools, { to, objects }: Received): Promise<void> {
  const args = ["rev-list", "--objects", "--max-count=1", "--stdin", "--not", "--all"];
  const stdin = objects.map((object) => `${object}\n`).join("");
  const { code, stdout } = await tools.git({ cwd: to, args, stdin, okCodes: [0, 1, 128] });
  if (code !== 0 || stdout !== "") throw new RefusedContent("they are not complete: nothing was sent for them");
}

/** The last line of stderr has git's own exit code, which the pipe hides. */
function requireEnd(stderr: string, what: string): void {
  if (stderr.trimEnd().endsWith("exit 0")) return;
  const why = tailOf(stderr.replace(/exit \d+\s*$/, ""), 2, 400).replace(/^(error|fatal): /gm, "");
  throw new RefusedContent(`they ${what}: ${why}`);
}
