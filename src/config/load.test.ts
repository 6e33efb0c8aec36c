import { mkdirSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { tempDir } from "../testing/temp.ts";
import { findConfig, loadConfig } from "./load.ts";

function write(path: string, text = "port: 1\n"): string {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  return path;
}

describe("the file in force", () => {
  test("is that of --config, then AO_CONFIG, then the nearest one above, then that of AO_HOME", async () => {
    const root = tempDir();
    const cwd = join(root, "repo/a/b");
    mkdirSync(cwd, { recursive: true });
    const home = join(root, "home");
    const find = (config?: string, env = {}): Promise<string | null> => findConfig({ config, env, cwd, home });
    // There may be someone else's file above the temporary folder.
    const findFar = (env = {}): Promise<string | null> =>
      findConfig({ env: { GIT_CEILING_DIRECTORIES: root, ...env }, cwd: join(root, "far"), home });

    expect(await findFar()).toBeNull();
    const inHome = write(join(root, "home/.agent-orchestrator/config.yaml"));
    expect(await findFar()).toBe(inHome);
    const inAoHome = write(join(root, "ao-home/config.yaml"));
    expect(await findFar({ AO_HOME: join(root, "ao-home") })).toBe(inAoHome);
    const above = write(join(root, "repo/agent-orchestrator.yaml"));
    expect(await find()).toBe(above);
    const nearer = write(join(root, "repo/a/agent-orchestrator.yaml"));
    expect(await find()).toBe(nearer);
    const byEnv = write(join(root, "home/custom.yaml"));
    expect(await find(undefined, { AO_CONFIG: "~/custom.yaml" })).toBe(byEnv);
    const asked = write(join(cwd, "mine.yaml"));
    expect(await find("mine.yaml", { AO_CONFIG: byEnv })).toBe(asked);
  });

  test.each([
    ["--config", { config: "gone.yaml" }],
    ["AO_CONFIG", { env: { AO_CONFIG: "gone.yaml" } }],
  ])("is an error if %s names a missing one", async (source, options) => {
    const cwd = tempDir();
    write(join(cwd, "agent-orchestrator.yaml"));
    await expect(findConfig({ env: {}, cwd, home: cwd, ...options })).rejects.toMatchObject({
      code: "config-not-found",
      hint: expect.stringContaining(source),
    });
  });

  test("is not searched in or above the folders of GIT_CEILING_DIRECTORIES, except where the search starts", async () => {
    const root = tempDir();
    const cwd = join(root, "repo/a");
    mkdirSync(cwd, { recursive: true });
    const above = write(join(root, "repo/agent-orchestrator.yaml"));
    const find = (...ceilings: string[]): Promise<string | null> =>
      findConfig({ env: { GIT_CEILING_DIRECTORIES: ceilings.join(delimiter) }, cwd, home: root });
    expect(await find("/elsewhere", join(root, "repo"))).toBeNull();
    expect(await find(root)).toBe(above);
    const here = write(join(cwd, "agent-orchestrator.yaml"));
    expect(await find(cwd, join(root, "repo"))).toBe(here);
  });

  test("is never a folder of that name", async () => {
    const cwd = tempDir();
    mkdirSync(join(cwd, "agent-orchestrator.yaml"));
    expect(await findConfig({ env: {}, cwd, home: cwd })).not.toBe(join(cwd, "agent-orchestrator.yaml"));
  });
});

describe("loading", () => {
  test("resolves paths from the file's folder and variables from the environment", async () => {
    const root = tempDir();
    const file = write(
      join(root, "c.yaml"),
      `projects:\n  a: { path: sub, defaultBranch: '\${B}' }\n  b: { path: ~/b }\n`,
    );
    const { config } = await loadConfig(file, { env: { B: "trunk" }, home: "/home/u" });
    expect(config.projects["a"]).toMatchObject({ path: join(root, "sub"), defaultBranch: "trunk" });
    expect(config.projects["b"]?.path).toBe("/home/u/b");
  });

  test("reports the file, line and column of an error", async () => {
    const file = write(join(tempDir(), "c.yaml"), "projects:\n  a:\n    pth: x\n");
    await expect(loadConfig(file, { env: {}, home: "/" })).rejects.toMatchObject({
      code: "config-invalid",
      message: expect.stringContaining(`${file}:3:5: projects.a.pth`),
    });
  });

  test.each([
    ["a missing file", "gone.yaml", "config-not-found"],
    ["a folder", ".", "config-invalid"],
  ])("reports %s", async (_, name, code) => {
    await expect(loadConfig(join(tempDir(), name), { env: {}, home: "/" })).rejects.toMatchObject({ code });
  });
});
