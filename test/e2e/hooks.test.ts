import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { parse } from "yaml";
import { tempDir } from "../../src/testing/temp.ts";
import { makeLoop } from "../support/loop.ts";
import { until } from "../support/until.ts";
import { commit, on, scenes } from "./reactions/scenes.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const APPROVE = { verdict: "approve", author: "rita" };

/** The first block of a language under the heading about hooks in code. */
function readExample(language: "yaml" | "js"): string {
  const page = readFileSync(join(root, "docs/user/hooks.md"), "utf8");
  const section = page.slice(page.indexOf("## Hooks in code"));
  return new RegExp(`\`\`\`${language}\n([^]*?)\`\`\``).exec(section)?.[1] ?? "";
}

it("the example of the documentation refuses a merge by its title, though the agent wrote a module that agrees, and logs a merge", async () => {
  const disarmed = commit("ao-hooks.mjs", "export function beforeMerge() {}\n");
  const fleet = await makeLoop({
    files: { "ao-hooks.mjs": readExample("js") },
    scripts: {
      1: scenes(on("task", "", disarmed)),
      2: scenes(on("task", "", commit("a.txt", "fine\n"))),
    },
    machine: parse(readExample("yaml")),
  });
  await fleet.open();
  await fleet.begin("1", "Typo");
  await fleet.reach(1, "green", ({ status }) => status === "review-pending");
  await fleet.act(1, "review", APPROVE);
  const refused = await fleet.reach(1, "refused", ({ refusal }) => refusal !== null);
  expect(refused).toMatchObject({ phase: "open" });
  expect(refused.refusal).toContain('hook before-merge refused: #1 needs a title such as "fix: ..."');

  await fleet.begin("2", "fix: typo");
  await fleet.reach(2, "green", ({ status }) => status === "review-pending");
  await fleet.act(2, "review", APPROVE);
  await fleet.reach(2, "merged", ({ phase }) => phase === "merged");
  const log = join(fleet.repo, "merges.log");
  await until("the line in the log", () => existsSync(log) && readFileSync(log, "utf8") === "demo #2 fix: typo\n");
});

it("the example of the documentation and the types of the package fit together", () => {
  const dir = tempDir();
  mkdirSync(join(dir, "node_modules/@aoagents"), { recursive: true });
  symlinkSync(root, join(dir, "node_modules/@aoagents/ao"));
  symlinkSync(join(root, "node_modules/@types"), join(dir, "node_modules/@types"));
  const wrong =
    'import type { Hooks } from "@aoagents/ao";\nexport default { beforeMerge: () => "no" } satisfies Hooks;\n';
  writeFileSync(join(dir, "wrong.mts"), wrong);
  writeFileSync(join(dir, "ao-hooks.mjs"), readExample("js"));
  const options = ["--noEmit", "--strict", "--allowJs", "--checkJs", "--module", "nodenext", "--types", "node"];
  const tsc = join(root, "node_modules/.bin/tsc");
  const { stdout } = spawnSync(tsc, [...options, "ao-hooks.mjs", "wrong.mts"], { cwd: dir, encoding: "utf8" });
  expect(stdout.split("\n").filter((line) => line.includes("error TS"))).toEqual([
    expect.stringMatching(/^wrong\.mts\(2,.* is not assignable /),
  ]);
});

it("a hook in code that outlives its daemon is found again, and then called once more with the same intent; one that is missing is reported", async () => {
  const module = `import { appendFileSync, existsSync } from "node:fs";
const folder = process.env.AO_DIARY;
export default async function ({ point, intent }) {
  appendFileSync(folder + "/calls", point + " " + intent + "\\n");
  while (!existsSync(folder + "/go")) await new Promise((resolve) => setTimeout(resolve, 50));
  appendFileSync(folder + "/calls", "end\\n");
}
`;
  const fleet = await makeLoop({
    files: { "ao-hooks.mjs": module },
    scripts: { default: scenes(on("task", "", commit("a.txt", "fine\n"))) },
    machine: {
      hooks: {
        "before-merge": [{ module: "./ao-hooks.mjs", timeout: "5m" }],
        "after-merge": { module: "./missing.mjs" },
      },
    },
  });
  const calls = (): readonly string[] => {
    const file = join(fleet.dir, "diary/calls");
    return existsSync(file) ? readFileSync(file, "utf8").trim().split("\n") : [];
  };
  await fleet.open();
  const { body } = await fleet.api<{ data: readonly unknown[] }>("GET", "/api/doctor");
  const missing = join(fleet.repo, "missing.mjs");
  expect(body.data).toContainEqual(
    expect.objectContaining({ name: "hook after-merge", state: "warn", text: `${missing} does not exist` }),
  );
  await fleet.begin("1", "Survives");
  await fleet.reach(1, "green", ({ status }) => status === "review-pending");
  await fleet.act(1, "review", APPROVE);
  await until("the hook to be called", () => calls().length === 1);
  await fleet.kill();
  await fleet.start();
  // The new daemon is up, and waits for the process of the old one instead of starting another.
  expect(await fleet.pullRequest(1)).toMatchObject({ phase: "open" });
  expect(calls()).toHaveLength(1);
  writeFileSync(join(fleet.dir, "diary/go"), "");
  await fleet.reach(1, "merged", ({ phase }) => phase === "merged");
  const [first] = calls();
  expect(first).toMatch(/^before-merge \S+/);
  expect(calls()).toEqual([first, "end", first, "end"]);
  await until("the failure of the missing module in the timeline", async () => {
    const timeline = await fleet.api("GET", "/api/pull-requests/demo/1/timeline");
    return JSON.stringify(timeline.body).includes(`command failed: ${missing} does not exist`);
  });
});

it("a hook in code that kills its daemon ends no more than that: the next daemon calls it again, and merges once", async () => {
  const module = `import { appendFileSync, existsSync } from "node:fs";
const calls = process.env.AO_DIARY + "/calls";
export default function ({ intent }) {
  const isFirst = !existsSync(calls);
  appendFileSync(calls, intent + "\\n");
  if (isFirst) process.kill(process.ppid, "SIGKILL");
}
`;
  const fleet = await makeLoop({
    files: { "ao-hooks.mjs": module },
    scripts: { default: scenes(on("task", "", commit("a.txt", "fine\n"))) },
    machine: { hooks: { "before-merge": { module: "./ao-hooks.mjs" } } },
  });
  await fleet.open();
  await fleet.begin("1", "Survives");
  await fleet.reach(1, "green", ({ status }) => status === "review-pending");
  await fleet.act(1, "review", APPROVE).catch(() => undefined);
  await until("the daemon to be killed", () => !fleet.isUp());
  await fleet.start();
  await fleet.reach(1, "merged", ({ phase }) => phase === "merged");
  const [first, ...others] = readFileSync(join(fleet.dir, "diary/calls"), "utf8").trim().split("\n");
  expect(others).toEqual([first]);
  const { stdout } = spawnSync("git", ["rev-list", "--count", "HEAD"], { cwd: fleet.repo, encoding: "utf8" });
  expect(stdout.trim()).toBe("2");
});
