import type { Faults } from "../../../src/testing/fake-forge/faults.ts";

/** A pull request as the forge has it now. */
export interface LoopPull {
  readonly branch: string;
  readonly head: string;
  readonly body: string;
  readonly isMerged: boolean;
  /** Every comment and thread, with the texts of each. */
  readonly talk: readonly (readonly string[])[];
}

/** How one check ends in CI: on main, the first time on the pull request, and when it runs again there. */
export interface CiCheck {
  readonly onMain: boolean;
  readonly first: boolean;
  readonly again: boolean;
  readonly log: string;
  /** GitLab calls it a job that may fail. */
  readonly isOptional?: true;
}

export interface LoopIssue {
  readonly isClosed: boolean;
  readonly comments: readonly string[];
}

/** A fake forge with the repository `octo/demo`, and what CI and people do there in the words that all forges share. */
export interface LoopForge {
  readonly scm: string;
  readonly url: string;
  readonly token: string;
  /** The user name that git sends with the token. */
  readonly user: string;
  readonly cloneUrl: string;
  /** The bare repository. */
  readonly gitDir: string;
  readonly faults: Pick<Faults, "watch">;
  readonly seen: { readonly length: number };
  /** What the daemon needs to sign in and to verify deliveries. */
  env(webhookSecret: string): Readonly<Record<string, string>>;
  addHook(url: string, options: { readonly secret: string }): unknown;
  /** A merge takes an approval and a check `build` that passed. */
  protectMain(): void;
  openIssue(fields: { readonly title: string; readonly text: string }): () => LoopIssue;
  /** Numbers of all pull requests. */
  pullNumbers(): readonly number[];
  pull(number: number): LoopPull;
  /** It fails in the same way if it runs again. */
  failBuild(number: number, how: { readonly command: string; readonly log: string }): void;
  /** CI on the newest commit of main, and on a pull request, with how each check ends, and how when it runs again. */
  runCi(number: number, checks: Readonly<Record<string, CiCheck>>): void;
  passBuild(number: number): void;
  /** A review that requests changes, with a general comment and one on a line. */
  requestChanges(
    number: number,
    remark: string,
    onLine: { readonly path: string; readonly text: string },
  ): Promise<void>;
  approve(number: number): Promise<void>;
}
