import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { requireSupportedPlatform } from "../../../src/platform/processes.ts";
import { DAEMON_RUNNING_EXIT } from "../../../src/protocol/daemon-file.ts";
import { makeRepo } from "../../../src/testing/git-repo.ts";
import { until } from "../../support/until.ts";
import { expectRefusal, takePicture } from "./picture.ts";
import { daemonEntry, makePlace, openShell, processesIn, root, run } from "./shell.ts";

/** A program that listens on any free port. */
async function takePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const address = server.address();
  return typeof address === "object" && address !== null ? address.port : 0;
}

/** A folder with one program in it, for the front of PATH. */
function programIn(dir: string, name: string, script: string): string {
  const folder = join(dir, "bin");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, name), `#!/bin/sh\n${script}\n`);
  chmodSync(join(folder, name), 0o755);
  return folder;
}

it("a requested port that is taken is refused, naming the process that has it", async () => {
  const { dir, aoHome, env } = makePlace();
  const repo = makeRepo(join(dir, "repo"));
  const shell = openShell(repo, env);
  const port = await takePort();
  const before = await takePicture(aoHome, [repo], null);
  const typed = await shell.ao("start", "--detach", "--no-open", "--port", String(port));
  expectRefusal("start --port", typed, new RegExp(`Port ${port} .*pid ${process.pid}\\).*\\nhint: .*--port`));
  const after = await takePicture(aoHome, [repo], null);
  expect(after.repositories).toEqual(before.repositories);
  expect(processesIn(aoHome)).toEqual([]);
  expect(await shell.ok("stop")).toBe("the daemon is not running\n");
  expect(await shell.json("start", "--detach", "--port", "0")).toMatchObject({ url: expect.any(String) });
});

it("if the default port is taken, the next one is used", async () => {
  const first = makePlace();
  const second = makePlace();
  const urls = await Promise.all(
    [first, second].map(async ({ dir, env }) => {
      const shell = openShell(dir, { ...env, AO_PORT: "" });
      return (await shell.json<{ url: string }>("start", "--detach")).url;
    }),
  );
  expect(new Set(urls).size).toBe(2);
});

it.skipIf(!existsSync("/proc/self/environ"))(
  "a daemon started by an agent inherits nothing from its session",
  async () => {
    const { dir, env } = makePlace();
    const given = { DATABASE_URL: "postgres://me:secret@db/x", GIT_AUTHOR_NAME: "codex (ao)" };
    const shell = openShell(dir, { ...env, ...given, AO_BRIDGE: "b", AO_INTENT: "i", AO_SESSION: "s", AO_RESUME: "1" });
    const { pid } = await shell.json<{ pid: number }>("start", "--detach");
    const names = readFileSync(`/proc/${pid}/environ`, "utf8")
      .split("\0")
      .map((entry) => entry.split("=")[0]);
    expect(names).toContain("AO_HOME");
    const ofSession = /^(AO_(BRIDGE|INTENT|SESSION|RESUME)|DATABASE_URL|GIT_AUTHOR_NAME)$/;
    expect(names.filter((name) => ofSession.test(String(name)))).toEqual([]);
    expect((await shell.ao("list")).out).toContain("warning: A command in session s started this daemon");
  },
);

it("a second daemon on the same AO_HOME refuses to start and names the first", async () => {
  const { dir, aoHome, env } = makePlace();
  const shell = openShell(dir, env);
  const { pid } = await shell.json<{ pid: number }>("start", "--detach");
  const second = await run(process.execPath, [daemonEntry], { cwd: dir, env });
  const sentence = new RegExp(`A daemon already runs .*\\(pid ${pid}\\)\\.\\nhint: .*ao stop`);
  expectRefusal("second daemon", second, sentence, DAEMON_RUNNING_EXIT);
  // A command that lost the race to start it would take this file for its own failure, or miss it once the first daemon removes it.
  expect(existsSync(join(aoHome, "start-error.json"))).toBe(false);
  expect(await shell.json("start", "--detach")).toMatchObject({ pid });
});

it("many commands at once start one daemon", async () => {
  const { dir, aoHome, env } = makePlace();
  const shell = openShell(dir, env);
  const answers = await Promise.all(Array.from({ length: 5 }, () => shell.ok("api", "GET", "/healthz")));
  const pids = answers.map((answer) => (JSON.parse(answer) as { pid: number }).pid);
  expect(new Set(pids).size).toBe(1);
  // Those that lost the race are exiting.
  await until("one daemon", () => processesIn(aoHome).join() === String(pids[0]));
});

it.each([
  ["too old", "echo git version 2.20.1", /git 2\.20 is too old\.\nhint: Install git 2\.25/],
  ["broken", "exit 127", /git/],
])("a git that is %s is refused", async (_what, script, sentence) => {
  const { dir, aoHome, env } = makePlace();
  const repo = makeRepo(join(dir, "repo"));
  const before = await takePicture(aoHome, [repo], null);
  const shell = openShell(repo, { ...env, PATH: `${programIn(dir, "git", script)}:${env["PATH"]}` });
  expectRefusal("start", await shell.ao("start", "--detach", "--no-open"), sentence);
  expect((await takePicture(aoHome, [repo], null)).repositories).toEqual(before.repositories);
  expect(await shell.ao("doctor")).toMatchObject({ code: 1, out: expect.stringMatching(/fail {2}git: .*\n +fix: /) });
});

it("without git, ao says to install it", async () => {
  const { dir, env } = makePlace();
  const shell = openShell(dir, { ...env, PATH: programIn(dir, "nothing", "true") });
  expectRefusal("start", await shell.ao("start", "--detach"), /git was not found\.\nhint: Install git/);
});

it("a daemon of another version is used as it is", async () => {
  const { dir, env } = makePlace();
  const other = join(dir, "other");
  cpSync(join(root, "dist"), join(other, "dist"), { recursive: true });
  const own = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as Record<string, unknown>;
  writeFileSync(join(other, "package.json"), JSON.stringify({ ...own, version: "99.0.0" }));
  symlinkSync(join(root, "node_modules"), join(other, "node_modules"));
  const foreign = openShell(dir, env, [process.execPath, join(other, "dist/cli/ao.cjs")]);
  await foreign.ok("start", "--detach");
  const shell = openShell(dir, env);
  expect(JSON.parse(await shell.ok("api", "GET", "/healthz"))).toMatchObject({ ok: true, version: "99.0.0" });
  expect(await shell.ok("version")).toBe(`${String(own["version"])}\n`);
  expect(await shell.ok("list")).toContain("no sessions");
  expect(await shell.ok("stop")).toContain("the daemon stopped");
});

it("Windows is refused by name, Linux and macOS are not", () => {
  expect(() => requireSupportedPlatform("win32")).toThrow(
    expect.objectContaining({
      code: "unsupported",
      message: expect.stringContaining("Windows"),
      hint: expect.any(String),
    }),
  );
  for (const platform of ["linux", "darwin"] as const) expect(() => requireSupportedPlatform(platform)).not.toThrow();
});
