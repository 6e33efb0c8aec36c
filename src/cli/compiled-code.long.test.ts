import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { tempDir } from "../testing/temp.ts";

const program = fileURLToPath(new URL("../../dist/cli/ao.cjs", import.meta.url));

function aoHelp(home: string): string {
  const result = spawnSync(process.execPath, [program, "help"], {
    encoding: "utf8",
    env: { ...process.env, AO_HOME: home },
  });
  expect(result).toMatchObject({ status: 0, stderr: "" });
  return result.stdout;
}

/** An AO_HOME in which one command was run. */
function usedHome(): { readonly home: string; readonly cache: string; readonly help: string } {
  const home = join(tempDir(), "home");
  mkdirSync(home);
  const help = aoHelp(home);
  const names = readdirSync(join(home, "cache"));
  expect(names).toEqual([expect.stringMatching(/^cli-[0-9a-f]{16}-v[\d.]+-\w+\.bin$/)]);
  return { home, cache: join(home, "cache", names[0] ?? ""), help };
}

describe("compiled code of the CLI", () => {
  it("is saved by the first command and used by the next", () => {
    const { home, cache, help } = usedHome();
    const written = statSync(cache);
    expect(aoHelp(home)).toBe(help);
    expect(statSync(cache)).toMatchObject({ ino: written.ino, mtimeMs: written.mtimeMs });
  });

  it("still loads what a command needs later", () => {
    const folder = tempDir();
    const file = join(folder, "agent-orchestrator.yaml");
    writeFileSync(file, "port: 3001\n");
    const env = { ...process.env, AO_HOME: folder };
    for (const [out, ...args] of [
      ["3001\n", "get", "port"],
      [`${file}: ok\n`, "validate", file],
      ["3001\n", "get", "port"],
      [`${file}: ok\n`, "validate", file],
    ]) {
      const result = spawnSync(process.execPath, [program, "config", ...args], { cwd: folder, encoding: "utf8", env });
      expect(result, args.join(" ")).toMatchObject({ status: 0, stdout: out, stderr: "" });
    }
  });

  it.each<readonly [string, (whole: Buffer) => Buffer]>([
    ["has a wrong byte", (whole) => Buffer.concat([whole.subarray(0, 5000), Buffer.from("?"), whole.subarray(5001)])],
    ["ends in the middle", (whole) => whole.subarray(0, 10_000)],
    ["is empty", () => Buffer.alloc(0)],
    ["is zeros", (whole) => Buffer.alloc(whole.length)],
    ["was made by another Node", (whole) => withVersion(whole)],
  ])("is created again if the file %s", (_, damage) => {
    const { home, cache, help } = usedHome();
    writeFileSync(cache, damage(readFileSync(cache)));
    const { ino } = statSync(cache);
    expect(aoHelp(home)).toBe(help);
    expect(statSync(cache).ino).not.toBe(ino);
    expect(aoHelp(home)).toBe(help);
  });

  it("can still load what is not part of it", () => {
    const home = join(tempDir(), "home");
    mkdirSync(home);
    writeFileSync(join(home, "config.yaml"), "projects: { app: { path: /nowhere, agent: claude-code } }\n");
    for (const time of ["first", "second"]) {
      const args = [program, "config", "validate", join(home, "config.yaml")];
      const env = { ...process.env, AO_HOME: home };
      const result = spawnSync(process.execPath, args, { encoding: "utf8", env });
      expect(result, time).toMatchObject({ status: 0, stderr: "" });
    }
  });

  it("creates no AO_HOME, and does not fail if nothing can be written", () => {
    const home = join(tempDir(), "home");
    const help = aoHelp(home);
    expect(existsSync(home)).toBe(false);
    mkdirSync(home);
    writeFileSync(join(home, "cache"), "a file, not a folder");
    expect(aoHelp(home)).toBe(help);
    expect(readdirSync(home)).toEqual(["cache"]);
  });

  it("that no build has used for a month is removed", () => {
    const { home, cache } = usedHome();
    const old = join(home, "cache/cli-0123456789abcdef-v20.0.0-x64.bin");
    const other = join(home, "cache/rows.json");
    for (const file of [old, other]) {
      writeFileSync(file, "");
      utimesSync(file, 0, 0);
    }
    writeFileSync(cache, "");
    aoHelp(home);
    expect([existsSync(cache), existsSync(old), existsSync(other)]).toEqual([true, false, true]);
  });
});

/** The same data with another V8 version in its header, in both halves. */
function withVersion(whole: Buffer): Buffer {
  const copy = Buffer.from(whole);
  for (const start of [0, whole.length / 2]) copy.writeUInt32LE(1, start + 4);
  return copy;
}
