import type { HostFs } from "../../ports/host.ts";
import type { ChangeRequest, MergeRequest, Scm, ScmProject } from "../../ports/scm.ts";

/** The environment of a forge, fresh for each test. */
export interface ScmScene {
  readonly scm: Scm;
  /** The files that its checks write to. */
  readonly fs: HostFs;
  /** Its default branch is `main` and has at least one commit. */
  readonly project: ScmProject;
  /** The forge's prefix of pull request numbers; default `#`. */
  readonly sigil?: string;
  /** Adds a commit to a branch, which starts at the tip of `from` (default main) if it is new; null deletes a file. */
  commit(branch: string, files: Readonly<Record<string, string | null>>, options?: CommitOptions): Promise<string>;
  /** A file at the tip of a branch; null if it does not exist. */
  read(branch: string, path: string): Promise<string | null>;
  /** What other people do on the forge; absent: nothing can be claimed there. */
  readonly others?: ForgeOthers;
  /** The comments on a pull request, oldest first; absent: this forge has none. */
  readonly commentsOn?: (number: number) => readonly string[];
  /** The forge's own merge queue; absent: it has none. */
  readonly queue?: ForgeQueue;
  /** The forge's reviewers; absent: this forge has no reviews. */
  readonly reviewers?: ForgeReviewers;
  /** A person converts a pull request to a draft; absent: this forge shows drafts in its own way. */
  readonly makeDraft?: (number: number) => void;
  /** Removes commits that no ref leads to; absent: this forge never does. */
  readonly collectGarbage?: () => void;
  /** Subjects of a branch, newest first. */
  history(branch: string): Promise<readonly string[]>;
}

export interface ForgeReviewers {
  requestChanges(number: number, by: string): Promise<void> | void;
  /** Those whose review is requested. */
  asked(number: number): readonly string[];
}

export interface ForgeQueue {
  /** From now on, merges into main go through the queue. */
  require(): void;
  mergeNext(): Promise<void>;
  /** A check of the queue fails. */
  fail(number: number, check: { readonly name: string; readonly log: string }): Promise<void>;
}

/** People who push and open pull requests without `ao`. */
export interface ForgeOthers {
  push(branch: string, commit: string): Promise<void>;
  /** Returns the number. */
  open(fields: {
    readonly title: string;
    readonly body: string;
    readonly branch: string;
    readonly by: string;
  }): Promise<number>;
  close(number: number): Promise<unknown>;
  merge(number: number): Promise<unknown>;
  /** Bob forks the repository to `bob/demo` and opens one for a branch there; he has no access to the repository. */
  openFromFork(fields: { readonly title: string; readonly branch: string; readonly commit: string }): Promise<number>;
  /** Does its author let maintainers push to its branch? At first not. */
  allowEdits(number: number, isAllowed: boolean): void;
}

interface CommitOptions {
  readonly message?: string;
  readonly from?: string;
}

type Fact = (scene: ScmScene) => Promise<void>;
export type Facts = Readonly<Record<string, Fact>>;

/** A pull request to open. */
export function aRequest(
  scene: ScmScene,
  { branch, head, after = 0 }: { readonly branch: string; readonly head: string; readonly after?: number },
): ChangeRequest {
  return { project: scene.project, branch, base: "main", head, title: "Add a", body: "", after };
}

/** Opens the pull request of a commit, and requests its merge. */
export async function aMerge(
  scene: ScmScene,
  change: { readonly branch: string; readonly head: string } & Partial<MergeRequest>,
): Promise<MergeRequest> {
  const { number } = await scene.scm.ensureChange(aRequest(scene, change));
  const title = `Merge ${change.branch}`;
  return { project: scene.project, number, base: "main", strategy: "squash", title, body: "", ...change };
}
