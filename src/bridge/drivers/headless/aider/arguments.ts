import { devNull } from "node:os";

interface Files {
  readonly message: string;
  readonly chat: string;
  readonly input: string;
}

interface Start {
  readonly model: string | undefined;
  /** There is something of the conversation to restore. */
  readonly isKnown: boolean;
}

/** The arguments for one turn. All is named: each of them has a default that a file in the repository may change. */
export function composeArguments(files: Files, { model, isKnown }: Start): readonly string[] {
  return [
    ...["--message-file", files.message],
    ...["--chat-history-file", files.chat, "--input-history-file", files.input, "--llm-history-file", devNull],
    ...(isKnown ? ["--restore-chat-history"] : ["--no-restore-chat-history"]),
    ...(model === undefined ? [] : ["--model", model]),
    ...["--yes-always", "--auto-commits", "--encoding", "utf-8"],
    ...["--no-stream", "--no-pretty", "--no-fancy-input"],
    ...["--no-check-update", "--no-show-release-notes", "--no-show-model-warnings", "--no-analytics"],
    // It would write .gitignore, fetch any address in a message, and suggest commands that it does not run.
    ...["--no-gitignore", "--no-detect-urls", "--no-suggest-shell-commands"],
  ];
}

const PER_LAUNCH = {
  PYTHONUTF8: "1",
  // It opens pages about its errors by itself.
  BROWSER: "true",
} as const;

/** The environment for one turn: what the user set stays as it is. */
export function composeEnvironment(
  env: Readonly<Record<string, string | undefined>>,
): Readonly<Record<string, string | undefined>> {
  // It breaks lines at the width of its terminal, which would tear those that are read here.
  return { ...PER_LAUNCH, ...env, COLUMNS: "10000" };
}
