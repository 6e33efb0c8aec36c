import { createHash } from "node:crypto";

export type Tree = ReadonlyMap<string, string>;

export interface FakeCommit {
  readonly id: string;
  readonly parents: readonly string[];
  readonly tree: Tree;
  readonly subject: string;
}

/** Commits and refs in memory: shared by the fake workspace and the fake scm, as real ones share a repository. */
export interface FakeRepository {
  readonly refs: Map<string, string>;
  /** `at`: the same facts at the same time are the same commit; absent: no other commit is the same. */
  commit(facts: Omit<FakeCommit, "id">, at?: number): FakeCommit;
  get(id: string): FakeCommit | undefined;
  /** The commit of a branch; null: no such branch. */
  head(branch: string): string | null;
  setHead(branch: string, commit: string): void;
  /** Adds a commit to a branch, which starts at `from` if it is new; null deletes a file. */
  commitTo(
    branch: string,
    files: Readonly<Record<string, string | null>>,
    options?: { readonly message?: string; readonly from?: string },
  ): string;
  /** The commit and its ancestors, newest first. */
  history(id: string): readonly FakeCommit[];
  mergeBase(one: string, other: string): string | null;
  /** The files that both sides changed differently since an origin, or since they met last; otherwise the merged tree. */
  merge(ours: string, theirs: string, origin?: string): { readonly conflicts: readonly string[]; readonly tree: Tree };
}

/** A repository whose branch main has one commit. */
export function createFakeRepository(
  files: Readonly<Record<string, string>> = { "README.md": "# sample\n" },
): FakeRepository {
  const commits = new Map<string, FakeCommit>();
  const refs = new Map<string, string>();
  const treeOf = (id: string | null): Tree => (id === null ? undefined : commits.get(id)?.tree) ?? new Map();
  const repository: FakeRepository = {
    refs,
    commit: (facts, at = commits.size) => {
      const content = JSON.stringify([facts.parents, [...facts.tree], facts.subject, at]);
      const commit = { ...facts, id: createHash("sha1").update(content).digest("hex") };
      commits.set(commit.id, commit);
      return commit;
    },
    get: (id) => commits.get(id),
    head: (branch) => refs.get(`refs/heads/${branch}`) ?? null,
    setHead: (branch, commit) => refs.set(`refs/heads/${branch}`, commit),
    commitTo: (branch, changes, { message = `change ${branch}`, from = "main" } = {}) => {
      const parent = repository.head(branch) ?? repository.head(from);
      const tree = applyChanges(treeOf(parent), changes);
      const { id } = repository.commit({ parents: parent === null ? [] : [parent], tree, subject: message });
      repository.setHead(branch, id);
      return id;
    },
    history: (id) => {
      const seen = new Map<string, FakeCommit>();
      const visit = (next: string): void => {
        const commit = commits.get(next);
        if (commit === undefined || seen.has(next)) return;
        seen.set(next, commit);
        for (const parent of commit.parents) visit(parent);
      };
      visit(id);
      return [...seen.values()];
    },
    mergeBase: (one, other) => {
      const known = new Set(repository.history(one).map(({ id }) => id));
      return repository.history(other).find(({ id }) => known.has(id))?.id ?? null;
    },
    merge: (ours, theirs, origin) =>
      mergeTrees(treeOf(origin ?? repository.mergeBase(ours, theirs)), treeOf(ours), treeOf(theirs)),
  };
  const tree = new Map(Object.entries(files));
  repository.setHead("main", repository.commit({ parents: [], tree, subject: "first" }).id);
  return repository;
}

function applyChanges(tree: Tree, changes: Readonly<Record<string, string | null>>): Tree {
  const next = new Map(tree);
  for (const [name, text] of Object.entries(changes)) {
    if (text === null) next.delete(name);
    else next.set(name, text);
  }
  return next;
}

function mergeTrees(base: Tree, ours: Tree, theirs: Tree): ReturnType<FakeRepository["merge"]> {
  const tree = new Map(ours);
  const conflicts: string[] = [];
  for (const name of new Set([...base.keys(), ...ours.keys(), ...theirs.keys()])) {
    const [before, mine, other] = [base.get(name), ours.get(name), theirs.get(name)];
    if (other === before || other === mine) continue;
    if (mine !== before) conflicts.push(name);
    else if (other === undefined) tree.delete(name);
    else tree.set(name, other);
  }
  return { conflicts: conflicts.sort(), tree };
}

/** The change from one tree to another, similar to a unified diff. */
export function diffTrees(before: Tree, after: Tree): string {
  const names = [...new Set([...before.keys(), ...after.keys()])].sort();
  return names
    .filter((name) => before.get(name) !== after.get(name))
    .map((name) => {
      const lines = (text: string | undefined, sign: string): string[] =>
        (text ?? "").split("\n").flatMap((line) => (line === "" ? [] : [sign + line]));
      return [
        `diff --git a/${name} b/${name}`,
        ...lines(before.get(name), "-"),
        ...lines(after.get(name), "+"),
        "",
      ].join("\n");
    })
    .join("");
}
