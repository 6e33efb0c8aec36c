import { devNull } from "node:os";

interface Files {
  readonly message: string;
  readonly chat: string;
  readonly input: string;
}

interface Start {
  readonly model: string | undefined;
  /** There is a conversation to restore. */
  readonly isKnown: boolean;
}

/** The arguments for one turn. All are explicit: a file in the repository may change any default. */
export function composeArguments(files: Files, { model, isKnown }: Start): readonly string[] {
  return [
    ...["--message-file", files.message],
    ...["--chat-history-file", files.chat, "--input-history-file", files.input, "--llm-history-file", devNull],
    ...(isKnown ? ["--restore-chat-history"] : ["--no-restore-chat-history"]),
    ...(model === undefined ? [] : ["--model", model]),
    ...["--yes-always", "--auto-commits", "--encoding", "utf-8"],
    ...["--no-stream", "--no-pretty", "--no-fancy-input"],
    ...["--no-check-update", "--no-show-release-notes", "--no-show-model-warnings", "--no-analytics"],
    // Otherwise it would write .gitignore, fetch any URL in a message, and suggest commands that it does not run.
    ...["--no-gitignore", "--no-detect-urls", "--no-suggest-shell-commands"],
  ];
}

const PER_LAUNCH = {
  PYTHONUTF8: "1",
  // It opens web pages about its errors.
  BROWSER: "true",
} as const;

/** The environment for one turn; the user's own values win. */
export function composeEnvironment(
  env: Readonly<Record<string, string | undefined>>,
): Readonly<Record<string, string | undefined>> {
  // It wraps lines at the width of its terminal, which would break the lines parsed here.
  return { ...PER_LAUNCH, ...env, COLUMNS: "10000" };
}
