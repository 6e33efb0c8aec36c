import { spawnSync } from "node:child_process";
import { closeSync, mkdirSync, openSync, readdirSync, readFileSync, rmSync, statSync, writeSync } from "node:fs";
import { join } from "node:path";
import Database from "libsql";
import { describe, expect, it, onTestFinished } from "vitest";
import type { HealthView } from "../../../src/protocol/views/daemon.ts";
import type { SessionView } from "../../../src/protocol/views/session.ts";
import { makeRepo } from "../../../src/testing/git-repo.ts";
import { tempDir } from "../../../src/testing/temp.ts";
import { diaryAgent } from "../../support/fleet.ts";
import { until } from "../../support/until.ts";
import { expectRefusal, takePicture } from "./picture.ts";
import { makePlace, openShell, type Shell } from "./shell.ts";

const canMount = tryMount();
const note = canMount ? "" : " (skipped: mounting needs root)";

function tryMount(): boolean {
  if (process.getuid?.() !== 0) return false;
  const probe = spawnSync("unshare", ["-m", "mount", "-t", "tmpfs", "-o", "size=64k", "none", "/mnt"]);
  return probe.status === 0;
}

/** An AO_HOME on its own disk, a project with the scripted agent, and what can happen to the disk. */
async function onSmallDisk(size: string) {
  const disk = tempDir("ao-disk-");
  const mount = (...args: string[]): void => {
    expect(spawnSync("mount", args).status).toBe(0);
  };
  mount("-t", "tmpfs", "-o", `size=${size}`, "none", disk);
  onTestFinished(() => void spawnSync("umount", ["-l", disk]));
  const place = makePlace({ aoHome: join(disk, "home") });
  const { repo, shell } = aProject(place.dir, place.env);
  const filler = join(disk, "filler");
  onTestFinished(() => rmSync(filler, { force: true }));
  return {
    ...place,
    repo,
    shell,
    fill: () => {
      const file = openSync(filler, "a");
      try {
        for (const chunk of [64 * 1024, 4096, 1]) writeUntilFull(file, Buffer.alloc(chunk));
      } finally {
        closeSync(file);
      }
    },
    free: () => rmSync(filler),
    // A daemon that is just ending may still have a file open for writing.
    seal: () => until("the disk to be idle", () => spawnSync("mount", ["-o", "remount,ro", disk]).status === 0),
    unseal: () => mount("-o", "remount,rw", disk),
  };
}

function writeUntilFull(file: number, chunk: Buffer): void {
  try {
    for (;;) writeSync(file, chunk);
  } catch (error) {
    expect((error as NodeJS.ErrnoException).code).toBe("ENOSPC");
  }
}

function aProject(dir: string, env: Record<string, string>): { readonly repo: string; readonly shell: Shell } {
  const repo = makeRepo(join(dir, "demo"));
  const diary = join(dir, "diary");
  mkdirSync(diary);
  return { repo, shell: openShell(repo, env) };
}

async function configure(shell: Shell, dir: string): Promise<void> {
  await shell.ok("start", "--detach", "--no-open");
  await shell.ok("config", "set", "projects.demo.agentConfig.command", JSON.stringify([diaryAgent]));
  await shell.ok("config", "set", "projects.demo.agent", "command");
  await shell.ok("config", "set", "projects.demo.env", JSON.stringify({ AO_DIARY: join(dir, "diary") }));
}

function heard(dir: string, id: string): readonly string[] {
  const lines = readFileSync(join(dir, "diary", `${id}.jsonl`), "utf8")
    .trim()
    .split("\n");
  return lines
    .map((line) => JSON.parse(line) as { event: string; text: string })
    .filter(({ event }) => event === "message")
    .map(({ text }) => text);
}

describe.skipIf(!canMount)(`a full disk${note}`, () => {
  it("is reported before the daemon starts, and nothing half-made is left", async () => {
    const disk = await onSmallDisk("4m");
    mkdirSync(disk.aoHome);
    disk.fill();
    const before = await takePicture(disk.aoHome, [disk.repo], null);
    const typed = await disk.shell.ao("start", "--detach", "--no-open");
    expectRefusal("start", typed, /(full|no space).*\nhint: .*(space|AO_HOME)/i);
    expect((await takePicture(disk.aoHome, [disk.repo], null)).repositories).toEqual(before.repositories);
    disk.free();
    await disk.shell.ok("start", "--detach", "--no-open");
    expect(await disk.shell.json("projects")).toMatchObject({ data: [{ id: "demo" }] });
  });

  it("is reported while the daemon runs; it continues once there is space, and nothing is lost", async () => {
    const disk = await onSmallDisk("2m");
    await configure(disk.shell, disk.dir);
    await disk.shell.ok("new", "talk");
    await disk.shell.ok("wait", "demo-talk", "--for", "idle");
    await disk.shell.ok("send", "demo-talk", "before");
    const { pid } = await health(disk.shell);
    disk.fill();
    const refused = await until("a refusal", async () => {
      const typed = await disk.shell.ao("send", "demo-talk", "x".repeat(1000));
      return typed.code === 0 ? false : typed;
    });
    expectRefusal("send", refused, /disk .*full.*\nhint: Free some space/);
    const sick = await health(disk.shell);
    expect(sick).toMatchObject({ ok: false, pid, trouble: expect.stringContaining("full") });
    expect(await disk.shell.ok("list")).toContain("demo-talk");
    disk.free();
    await until("the message after there is room", async () => {
      return (await disk.shell.ao("send", "demo-talk", "after")).code === 0;
    });
    await until("the agent to hear it", () => heard(disk.dir, "demo-talk").includes("after"));
    expect(await health(disk.shell)).toMatchObject({ ok: true, pid, trouble: null });
    expect(heard(disk.dir, "demo-talk")[0]).toBe("before");
  });
});

async function health(shell: Shell): Promise<HealthView> {
  return JSON.parse((await shell.ao("api", "GET", "/healthz")).out) as HealthView;
}

describe.skipIf(!canMount)(`a state folder that cannot be written${note}`, () => {
  it("is reported, with AO_HOME as the fix", async () => {
    const disk = await onSmallDisk("2m");
    await disk.shell.ok("start", "--detach", "--no-open");
    await disk.shell.ok("stop");
    await disk.seal();
    for (const command of [["list"], ["start", "--detach"], ["new", "x"]]) {
      const typed = await disk.shell.ao(...command);
      expectRefusal(command.join(" "), typed, /(cannot be (used|written)|read-only).*\nhint: .*AO_HOME/);
    }
    expect((await disk.shell.ao("doctor")).out).toMatch(/fail {2}(home|daemon): .*\n +fix: .*AO_HOME/);
    disk.unseal();
    expect(await disk.shell.json("projects")).toMatchObject({ data: [{ id: "demo" }] });
  });
});

/** Overwrites the middle third of the store, with nothing left in its write-ahead log to replace it. */
function damage(database: string): void {
  const db = new Database(database);
  db.exec("pragma wal_checkpoint(truncate)");
  db.close();
  const { size } = statSync(database);
  const file = openSync(database, "r+");
  writeSync(file, Buffer.alloc(Math.floor(size / 3), "garbage "), 0, undefined, Math.floor(size / 3));
  closeSync(file);
}

it("a damaged store is refused and left alone; doctor --fix recovers sessions, agents and saved files", async () => {
  const { dir, aoHome, env } = makePlace();
  const { repo, shell } = aProject(dir, env);
  await configure(shell, dir);
  const prompt = "do it\n!write draft.txt not committed";
  for (const title of ["goes on", "was stopped"]) {
    await shell.aoWith({ input: prompt }, "new", title, "--prompt-file", "-");
  }
  for (const id of ["demo-goes-on", "demo-was-stopped"]) await shell.ok("wait", id, "--for", "idle");
  await shell.ok("stop", "demo-was-stopped");
  const agent = (await shell.json<{ run: { pid: number } }>("status", "demo-goes-on")).run.pid;
  await shell.ok("stop");
  damage(join(aoHome, "ao.db"));
  const bytes = readFileSync(join(aoHome, "ao.db"));
  const before = await takePicture(aoHome, [repo], null);
  expectRefusal("list", await shell.ao("list"), /store .*ao\.db is damaged.*\nhint: .*ao doctor --fix/);
  expect(await shell.ao("doctor")).toMatchObject({ code: 1, out: expect.stringMatching(/fail {2}store: .*damaged/) });
  expect(readFileSync(join(aoHome, "ao.db")).equals(bytes)).toBe(true);
  expect(await takePicture(aoHome, [repo], null)).toEqual(before);

  expect(await shell.ao("doctor", "--fix")).toMatchObject({ code: 0 });
  const aside = readdirSync(aoHome).find((name) => /^ao\.db\.damaged-[^.]*$/.test(name));
  expect(readFileSync(join(aoHome, aside ?? "none")).equals(bytes)).toBe(true);
  const { data } = await shell.json<{ data: readonly SessionView[] }>("list", "--all");
  const statuses = Object.fromEntries(data.map(({ id, status }) => [id, status]));
  expect(statuses).toMatchObject({ "demo-was-stopped": "stopped" });
  expect(await shell.json("status", "demo-goes-on")).toMatchObject({ run: { pid: agent, state: "alive" } });
  expect(await shell.ok("send", "demo-goes-on", "are you there?")).toBe("delivered\n");
  expect(heard(dir, "demo-goes-on").at(-1)).toBe("are you there?");
  expect(await shell.ok("diff", "demo-goes-on")).toContain("+not committed");
  await shell.ok("restore", "demo-was-stopped");
  expect(await shell.ok("diff", "demo-was-stopped")).toContain("+not committed");
  expect(await shell.ok("doctor")).not.toContain("fail");
});

it("a store that was deleted, or has a state that is not JSON, loses no session", async () => {
  const { dir, aoHome, env } = makePlace();
  const { shell } = aProject(dir, env);
  await configure(shell, dir);
  await shell.ok("new", "goes on");
  await shell.ok("wait", "demo-goes-on", "--for", "idle");
  const agent = (await shell.json<{ run: { pid: number } }>("status", "demo-goes-on")).run.pid;
  await shell.ok("stop");
  for (const suffix of ["", "-wal", "-shm"]) rmSync(join(aoHome, `ao.db${suffix}`), { force: true });

  expect(await shell.json("status", "demo-goes-on")).toMatchObject({ run: { pid: agent, state: "alive" } });
  expect(await shell.ok("doctor")).toMatch(/warn {2}store: .*1 session, recovered from disk: demo-goes-on/);
  await shell.ok("stop");
  expect(await shell.ok("doctor")).not.toContain("recovered from disk");
  await shell.ok("stop");

  const db = new Database(join(aoHome, "ao.db"));
  db.prepare("update streams set state = '{oops' where stream = 'session:demo-goes-on'").run();
  db.close();
  expectRefusal("list", await shell.ao("list"), /store .*ao\.db is damaged.*\nhint: .*ao doctor --fix/);
  expect(await shell.ao("doctor", "--fix")).toMatchObject({ code: 0 });
  expect(await shell.json("status", "demo-goes-on")).toMatchObject({ run: { pid: agent, state: "alive" } });
});

it("a store that lost its newest part loses no session", async () => {
  const { dir, aoHome, env } = makePlace();
  const { shell } = aProject(dir, env);
  await configure(shell, dir);
  await shell.ok("stop");
  await shell.ok("new", "goes on");
  await shell.ok("wait", "demo-goes-on", "--for", "idle");
  const agent = (await shell.json<{ run: { pid: number } }>("status", "demo-goes-on")).run.pid;
  process.kill((await health(shell)).pid, "SIGKILL");
  expect(statSync(join(aoHome, "ao.db-wal")).size).toBeGreaterThan(0);
  for (const suffix of ["-wal", "-shm"]) rmSync(join(aoHome, `ao.db${suffix}`));

  expect(await shell.json("status", "demo-goes-on")).toMatchObject({ run: { pid: agent, state: "alive" } });
  expect(await shell.ok("send", "demo-goes-on", "are you there?")).toBe("delivered\n");
  expect(heard(dir, "demo-goes-on").at(-1)).toBe("are you there?");
});
