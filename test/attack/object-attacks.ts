import { deflateSync } from "node:zlib";

/** What an attempt can refer to: the user's repository, and the branch of another session. */
export interface Target {
  readonly repo: string;
  readonly other: string;
}

/** Commands by which an agent in a sandbox tries to change what the user's git reads. */
export const OBJECT_ATTACKS: readonly (readonly [name: string, command: (target: Target) => string])[] = [
  [
    "other content in every object of the repository",
    ({ repo }) => `for f in $(find ${repo}/.git/objects -type f); do chmod u+w $f; echo forged > $f; done`,
  ],
  ["no objects", ({ repo }) => `rm -rf ${repo}/.git/objects/pack ${repo}/.git/objects/??`],
  ["packs with other content", ({ repo }) => `mv ${repo}/.git/objects/pack ${repo}/.git/objects/gone`],
  ["another commit on the default branch", () => "git update-ref refs/heads/main HEAD; git branch -f main HEAD"],
  [
    "files in place of branches",
    ({ repo, other }) =>
      `for f in heads/main heads/${other} tags/new ao/pull/1; do mkdir -p $(dirname ${repo}/.git/refs/$f); git rev-parse HEAD > ${repo}/.git/refs/$f; done`,
  ],
  ["another session's branch", ({ other }) => `git update-ref refs/heads/${other} HEAD; git branch -D ${other}`],
  [
    "packed branches",
    ({ repo }) => `echo "$(git rev-parse HEAD) refs/heads/main" > ${repo}/.git/packed-refs; git pack-refs --all`,
  ],
  [
    "the index, HEAD and reflogs of the main checkout",
    ({ repo }) =>
      `for f in index HEAD logs/HEAD ORIG_HEAD; do echo forged > ${repo}/.git/$f; rm -f ${repo}/.git/$f; done`,
  ],
  [
    "settings and hooks",
    ({ repo }) =>
      `git config --file ${repo}/.git/config core.fsmonitor evil; echo evil > ${repo}/.git/hooks/post-commit; echo evil > ${repo}/.git/info/attributes`,
  ],
  ["a commondir", ({ repo }) => `echo $PWD > ${repo}/.git/commondir; echo $PWD > .git/commondir; rm -f .git/commondir`],
  [
    "alternates",
    ({ repo }) =>
      `echo $PWD/.git/objects > ${repo}/.git/objects/info/alternates; echo / > .git/objects/info/alternates; mv .git/objects .git/gone`,
  ],
  [
    "grafts and replaced objects",
    ({ repo }) =>
      `git rev-parse HEAD > ${repo}/.git/info/grafts; git replace -f HEAD HEAD~1; mkdir -p ${repo}/.git/refs/replace; git rev-parse HEAD > ${repo}/.git/refs/replace/$(git rev-parse main)`,
  ],
  ["history that ends early", ({ repo }) => `git rev-parse main > ${repo}/.git/shallow`],
  ["a garbage collection", () => "git gc --prune=now; git repack -a -d; git prune; git worktree prune"],
  [
    "what ao shows of the base",
    () => "git update-ref refs/ao/project/heads/main HEAD; rm -rf .git/refs/ao; mv .git/refs .git/gone",
  ],
];

/** A shell command that gives a loose object of the repository in the current folder another content. */
export function swapLoose(revision: string, content: string): string {
  const bytes = deflateSync(`blob ${Buffer.byteLength(content)}\0${content}`).toString("base64");
  return [
    `id=$(git rev-parse ${revision})`,
    "file=$(git rev-parse --git-path objects)/$(echo $id | cut -c1-2)/$(echo $id | cut -c3-)",
    `mkdir -p $(dirname $file); rm -f $file; echo ${bytes} | base64 -d > $file`,
  ].join("; ");
}
