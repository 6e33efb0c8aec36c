import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { stringify } from "yaml";
import { isFull } from "../../../src/testing/full.ts";
import { makeRepo } from "../../../src/testing/git-repo.ts";
import { main, makePlace, openShell, run, type Typed } from "../cli/shell.ts";

/** The home of a person with a project ~/code/my-app, `ao` on PATH, and a scripted agent that answers everything with a commit. */
export interface Stage {
  readonly repo: string;
  readonly env: Readonly<Record<string, string>>;
  /** Types a line in the project's folder. */
  type(line: string): Promise<Typed>;
}

const FILES = {
  "src/login.ts": Array.from({ length: 20 }, (_, index) => `// line ${index + 1}\n`).join(""),
  "package.json": '{ "name": "my-app", "scripts": { "test": "true" } }\n',
  "review.md": "Cover the empty password.\n",
};

const ANSWER = [
  // A file for each session, so that no two of them conflict.
  { run: ["sh", "-c", 'echo note >> "notes-$AO_SESSION.md"'] },
  { commit: "Answer {{id}}" },
  { usage: { inputTokens: 10, outputTokens: 5, costUsd: 0.01, model: "house-model" } },
  { done: "Done." },
];

/** Programs that a reader has; here they do nothing. */
const PROGRAMS = {
  code: "exit 0",
  "notify-send": "exit 0",
  less: "cat",
  ao: `exec '${process.execPath}' '${main}' "$@"`,
};

/** Prepares the home; nothing runs yet. */
export function makeStage(): Stage {
  const { dir, env: plain } = makePlace();
  const repo = makeRepo(join(dir, "home/code/my-app"), FILES);
  const script = join(dir, "script.yaml");
  const scenes = [
    { when: { kind: "task" }, do: ANSWER },
    { when: { kind: "message" }, do: ANSWER },
  ];
  writeFileSync(script, stringify({ pace: 0, scenes }));
  const project = {
    path: ".",
    agent: "rehearsal",
    agentConfig: { script },
    checks: { unit: { run: "true" } },
  };
  const config = { limits: { parallelAgents: 30 }, notifiers: { desktop: {} }, projects: { "my-app": project } };
  writeFileSync(join(repo, "agent-orchestrator.yaml"), stringify(config));
  writeFileSync(join(repo, ".git/info/exclude"), "/agent-orchestrator.yaml\n/.ao/\n/config.schema.json\n", {
    flag: "a",
  });
  writeIssues(repo, ["3", "41", "42", "43"]);
  const bin = join(dir, "bin");
  mkdirSync(bin);
  for (const [name, text] of Object.entries(PROGRAMS)) {
    writeFileSync(join(bin, name), `#!/bin/sh\n${text}\n`);
    chmodSync(join(bin, name), 0o755);
  }
  const env = {
    ...plain,
    PATH: `${bin}:${plain["PATH"]}`,
    EDITOR: "true",
    SHELL: "/bin/sh",
    DBUS_SESSION_BUS_ADDRESS: "unix:path=/none",
  };
  const shell = openShell(repo, env);
  const type = (line: string): Promise<Typed> => {
    const args = isFull ? null : argumentsOf(line);
    return args === null ? run("sh", ["-c", line], { cwd: repo, env }) : shell.ao(...args);
  };
  return { repo, env, type };
}

/** The arguments of a line with only `ao` and words, quoted or not; null: it needs a shell. */
function argumentsOf(line: string): readonly string[] | null {
  const word = /"([^"$`\\]*)"|'([^']*)'|([\w@%+=:,./-]+)/;
  if (!new RegExp(`^ao( (${word.source}))*$`).test(line)) return null;
  return [...line.slice("ao".length).matchAll(new RegExp(word, "g"))].map(
    ([, double, single, plain]) => double ?? single ?? plain ?? "",
  );
}

function writeIssues(repo: string, numbers: readonly string[]): void {
  mkdirSync(join(repo, ".ao/issues"), { recursive: true });
  for (const number of numbers) {
    writeFileSync(
      join(repo, `.ao/issues/${number}-task.md`),
      `---\ntitle: Task ${number}\nstate: open\n---\n\nDo it.\n`,
    );
  }
}
