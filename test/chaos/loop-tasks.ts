/** A task of a round: its agent's script, what a person does, and the expected result. */
export interface LoopTask {
  readonly issue: string;
  readonly title: string;
  readonly kind: "plain" | "red" | "review" | "conflict" | "question" | "stuck";
  /** What main holds once it is merged; empty: it must not be merged. */
  readonly files: Readonly<Record<string, string>>;
  readonly script: unknown;
}

export const CHOICE = "blue";
export const HELP = "It really ends with exit code 1 on its own. Fix it.";
export const REMARK = "Say final instead of draft.";

// A killed check says nothing about the commit: the agent does nothing, and a person re-runs the check.
const KILLED = {
  when: { kind: "message", matches: "exit code 137" },
  do: [{ wait: "1s" }, { done: "It was killed. Run it again." }],
};

function script(...scenes: readonly unknown[]): unknown {
  return { pace: 1, scenes: [...scenes, KILLED] };
}

function work(title: string, path: string, text: string): readonly unknown[] {
  return [{ wait: "300ms" }, { write: { path, text } }, { commit: title }, { wait: "100ms" }, { done: "There it is." }];
}

const CONFLICT_FILES = { "shared.txt": "four and five\n" };

function conflicting(issue: string, title: string, text: string): LoopTask {
  const resolve = [
    { run: ["git", "merge", "--no-edit", "main"] },
    { write: { path: "shared.txt", text: CONFLICT_FILES["shared.txt"] } },
    { commit: `${title}, merged` },
    { done: "Resolved." },
  ];
  const scenes = [
    { when: { kind: "task" }, do: work(title, "shared.txt", text) },
    { when: { kind: "message", matches: "conflicts with" }, do: resolve },
  ];
  return { issue, title, kind: "conflict", files: CONFLICT_FILES, script: script(...scenes) };
}

export const PLAIN: LoopTask = {
  issue: "1",
  title: "Plain one",
  kind: "plain",
  files: { "one.txt": "one\n" },
  script: script({ when: { kind: "task" }, do: work("Plain one", "one.txt", "one\n") }),
};

export const RED: LoopTask = {
  issue: "2",
  title: "Red once",
  kind: "red",
  files: { "two.txt": "right\n" },
  script: script(
    { when: { kind: "task" }, do: work("Red once", "two.txt", "WRONG\n") },
    { when: { kind: "message", matches: "exit code 1 " }, do: work("Red once, fixed", "two.txt", "right\n") },
  ),
};

/** Starts fixing only once the file `busy` next to the diaries is gone: until then messages stay unread. */
export const SLOW: LoopTask = {
  ...RED,
  script: script(
    { when: { kind: "task" }, do: work("Red once", "two.txt", "WRONG\n") },
    {
      when: { kind: "message", matches: "exit code 1 " },
      do: [
        { run: ["sh", "-c", 'while [ -e "$AO_DIARY/busy" ]; do sleep 0.05; done'] },
        ...work("Red once, fixed", "two.txt", "right\n"),
      ],
    },
  ),
};

export const REVIEW: LoopTask = {
  issue: "3",
  title: "Draft and final",
  kind: "review",
  files: { "three.txt": "final\n" },
  script: script(
    { when: { kind: "task" }, do: work("Draft and final", "three.txt", "draft\n") },
    { when: { kind: "message", matches: "requested changes" }, do: work("Draft, final", "three.txt", "final\n") },
  ),
};

export const FOUR = conflicting("4", "Conflict four", "four\n");
export const FIVE = conflicting("5", "Conflict five", "five\n");

export const QUESTION: LoopTask = {
  issue: "6",
  title: "Question of color",
  kind: "question",
  files: { "six.txt": "blue\n" },
  script: script({
    when: { kind: "task" },
    do: [
      {
        ask: {
          question: "Which color?",
          choices: [CHOICE, "red"],
          // biome-ignore lint/suspicious/noThenProperty: a word of the script
          then: { [CHOICE]: work("Question of color", "six.txt", "blue\n") },
        },
      },
      { done: "Not blue." },
    ],
  }),
};

/** Red once and asks first: every effect of the loop in one session. */
export const EVERYTHING: LoopTask = {
  issue: "8",
  title: "Everything at once",
  kind: "question",
  files: { "eight.txt": "right\n" },
  script: script(
    {
      when: { kind: "task" },
      do: [
        {
          ask: {
            question: "Begin?",
            choices: [CHOICE, "no"],
            // biome-ignore lint/suspicious/noThenProperty: a word of the script
            then: { [CHOICE]: [{ write: { path: "eight.txt", text: "WRONG\n" } }, { commit: "Everything at once" }] },
          },
        },
        { done: "There it is." },
      ],
    },
    {
      when: { kind: "message", matches: "exit code 1 " },
      do: [{ write: { path: "eight.txt", text: "right\n" } }, { commit: "Everything, fixed" }, { done: "Fixed." }],
    },
  ),
};

/** Always wrong: each message makes another wrong commit. */
export const STUCK: LoopTask = {
  issue: "7",
  title: "Stuck for ever",
  kind: "stuck",
  files: {},
  script: script(
    { when: { kind: "task" }, do: work("Stuck for ever", "seven.txt", "WRONG\n") },
    {
      when: { kind: "message", matches: "exit code 1 " },
      do: [
        { append: { path: "seven.txt", text: "WRONG again {{id}}\n" } },
        { commit: "Stuck for ever, another try" },
        { done: "Now it is right." },
      ],
    },
  ),
};

export const ALL_TASKS: readonly LoopTask[] = [PLAIN, RED, REVIEW, FOUR, FIVE, QUESTION, STUCK];

/** The scripts of these tasks, by issue. */
export function scriptsOf(tasks: readonly LoopTask[]): Readonly<Record<string, unknown>> {
  return Object.fromEntries(tasks.map((task) => [task.issue, task.script]));
}
