import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { loadConfig } from "../config/load.ts";
import { readScript } from "../rehearsal/read-script.ts";
import { git } from "../testing/git-repo.ts";
import { tempDir } from "../testing/temp.ts";
import { lookAtSample } from "./look-at-sample.ts";
import { makeSample, requireEmpty } from "./make-sample.ts";
import { STORY } from "./story.ts";

const NOW = Date.parse("2026-06-15T12:00:00Z");
const template = new URL("../../demo/garden/", import.meta.url);

describe("the sample", () => {
  it("is a repository with a history, a clean tree and a working test suite", async () => {
    const { repo } = await makeSample(tempDir(), { pace: 1, now: NOW, forge: null });
    expect(git(repo, "log", "--format=%as %an", "--reverse").split("\n")[0]).toBe("2026-06-06 Garden Keeper");
    expect(git(repo, "rev-list", "--count", "main").trim()).toBe("4");
    expect(git(repo, "status", "--porcelain")).toBe("");
    const look = await lookAtSample(repo, { color: false });
    expect(look.tests).toBeGreaterThan(5);
    expect(look.picture.split("\n").at(-1)?.trim()).toBe("a patch of grass");
  });

  it("has every template file in its history", async () => {
    const { repo } = await makeSample(tempDir(), { pace: 1, now: NOW, forge: null });
    const files = readdirSync(template, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    expect(git(repo, "ls-files").trim().split("\n")).toHaveLength(files.length);
  });

  it("has a valid configuration with the requested pace", async () => {
    const { repo } = await makeSample(tempDir(), { pace: 0.25, now: NOW, forge: null });
    const { config } = await loadConfig(join(repo, "agent-orchestrator.yaml"), { env: {}, home: "/nowhere" });
    expect(config.projects["garden"]?.agent).toMatchObject({ plugin: "rehearsal", config: { pace: 0.25 } });
  });

  it("has a playable script for each issue", async () => {
    const { dir, repo } = await makeSample(tempDir(), { pace: 1, now: NOW, forge: null });
    const issues = readdirSync(join(repo, ".ao/issues")).map((name) => name.split("-")[0] ?? "");
    expect(issues.length).toBeGreaterThanOrEqual(6);
    expect(readdirSync(join(dir, "scripts")).sort()).toEqual(issues.map((issue) => `${issue}.yaml`).sort());
    for (const issue of issues) await readScript(join(dir, `scripts/${issue}.yaml`));
    expect(issues).toEqual(expect.arrayContaining(Object.keys(STORY)));
  });

  it("has the line that the demo's reviewer mentions in the agent's code", async () => {
    for (const [issue, { request }] of Object.entries(STORY)) {
      if (request === undefined) continue;
      const { scenes } = await readScript(new URL(`../../demo/scripts/${issue}.yaml`, import.meta.url).pathname);
      const writes = scenes[0]?.do.flatMap((step) => (step.kind === "write" ? [step.value] : [])) ?? [];
      const line = writes.find(({ path }) => path === request.path)?.text.split("\n")[request.line - 1];
      expect(line).toContain("46");
    }
  });
});

describe("a folder for the demo", () => {
  it("is created, or may exist if it is empty", () => {
    const dir = join(tempDir(), "new");
    requireEmpty(dir);
    requireEmpty(dir);
    expect(readdirSync(dir)).toEqual([]);
  });

  it("with content is rejected and left alone", () => {
    const dir = tempDir();
    writeFileSync(join(dir, "mine.txt"), "mine\n");
    expect(() => requireEmpty(dir)).toThrow(`${dir} is not empty.`);
    expect(readFileSync(join(dir, "mine.txt"), "utf8")).toBe("mine\n");
  });
});
