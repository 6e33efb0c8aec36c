import { join } from "node:path";
import { git, makeRepo } from "../../src/testing/git-repo.ts";

/** A kind of repository or workspace; each has its own files that git trusts. */
export interface RepositoryKind {
  readonly name: string;
  readonly project?: Readonly<Record<string, unknown>>;
  /** Turns an ordinary repository into one of this kind. */
  readonly prepare?: (repo: string) => void;
}

export const KINDS: readonly RepositoryKind[] = [
  { name: "submodule", prepare: addSubmodule },
  { name: "worktree" },
  { name: "clone", project: { workspace: "clone" } },
  {
    name: "sparse",
    prepare: (repo) => void git(repo, "sparse-checkout", "set", "--no-cone", "/*", "!/left-out"),
  },
  {
    name: "worktreeConfig",
    prepare: (repo) => {
      git(repo, "config", "extensions.worktreeConfig", "true");
      git(repo, "config", "--worktree", "user.signingKey", "none");
    },
  },
];

function addSubmodule(repo: string): void {
  const library = makeRepo(join(repo, "../library"), { "lib.txt": "lib\n" });
  git(repo, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", library, "lib");
  git(repo, "commit", "-q", "-m", "Add a library");
}
