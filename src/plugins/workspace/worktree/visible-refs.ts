import { join } from "node:path";
import type { CreateWorkspace } from "../../../ports/workspace.ts";
import type { Tools } from "../../../providers/git/tools.ts";

/** Tags and remote branches that a new repository knows; the newest. */
const MAX_OTHERS = 300;
const FORMAT = "%(refname)%09%(objectname)%09%(objecttype)%09%(symref)";

interface Ref {
  readonly name: string;
  readonly object: string;
  readonly type: string;
  readonly symref: string;
}

/** Refs of the project that a repository of its own starts with. */
export interface Visible {
  /** The commit of the session's branch; null: there is none. */
  readonly own: string | null;
  /** Refs that follow the project: its base, and what it is based on. */
  readonly shown: Readonly<Record<string, string>>;
  /** A `packed-refs` with tags and remote branches as they are now. */
  readonly packed: string;
  /** Objects that are annotated tags. */
  readonly tags: readonly string[];
}

/** Of tags and remote branches those that the checkout's own commit contains, which is kept as long as the checkout. */
export async function listVisible(tools: Tools, request: CreateWorkspace, head: string): Promise<Visible> {
  const { project, branch } = request;
  const bases = [...new Set([project.defaultBranch, request.base ?? project.defaultBranch])];
  const followed = bases.flatMap((name) => [`refs/heads/${name}`, `refs/remotes/origin/${name}`]);
  const own = `refs/heads/${branch}`;
  const newest = ["--sort=-creatordate", `--count=${MAX_OTHERS}`, `--merged=${head}`];
  const [near, others] = await Promise.all([
    listRefs(tools, project.path, [...followed, own]),
    listRefs(tools, project.path, [...newest, "refs/tags", "refs/remotes"]),
  ]);
  const packed = new Map(others.filter(({ symref }) => symref === "").map((ref) => [ref.name, ref]));
  for (const ref of near) if (ref.name.startsWith("refs/remotes/")) packed.set(ref.name, ref);
  return {
    own: near.find(({ name }) => name === own)?.object ?? null,
    shown: Object.fromEntries(
      near.filter(({ name }) => name === own || followed.includes(name)).map(({ name, object }) => [name, object]),
    ),
    packed: composePacked([...packed.values()]),
    tags: [...packed.values()].flatMap(({ type, object }) => (type === "tag" ? [object] : [])),
  };
}

async function listRefs(tools: Tools, cwd: string, args: readonly string[]): Promise<readonly Ref[]> {
  const { stdout } = await tools.git({ cwd, args: ["for-each-ref", `--format=${FORMAT}`, ...args] });
  return stdout.split("\n").flatMap((line) => {
    const [name = "", object = "", type = "", symref = ""] = line.split("\t");
    return name === "" ? [] : [{ name, object, type, symref }];
  });
}

function composePacked(refs: readonly Ref[]): string {
  const sorted = [...refs].sort((a, b) => (a.name < b.name ? -1 : 1));
  return sorted.map(({ name, object }) => `${object} ${name}\n`).join("");
}

/** Copies annotated tags themselves; commits are borrowed. */
export async function packTags(
  tools: Tools,
  project: string,
  { tags, gitDir }: { readonly tags: readonly string[]; readonly gitDir: string },
): Promise<void> {
  if (tags.length === 0) return;
  const args = ["pack-objects", "--quiet", join(gitDir, "objects/pack/pack")];
  await tools.git({ cwd: project, args, stdin: tags.map((tag) => `${tag}\n`).join("") });
}
