import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, statfsSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { createNodeHost } from "../../../platform/host.ts";
import { createSilentLog } from "../../../platform/log.ts";
import { createHostProcesses } from "../../../platform/processes.ts";
import type { Host } from "../../../ports/host.ts";
import type { RunSpec, Runtime } from "../../../ports/runtime.ts";
import { PATIENCE_MS } from "../../../testing/patience.ts";
import { smallDisk, tempDir } from "../../../testing/temp.ts";
import { chooseSocket } from "./names.ts";
import { tmux } from "./tmux.ts";
import { formatLaunch, WRAPPER } from "./wrapper.ts";

const hasTmux = spawnSync("tmux", ["-V"]).status === 0;
const title = hasTmux ? "the runtime tmux" : "the runtime tmux (skipped: tmux is not installed)";
const patience = { timeout: PATIENCE_MS, interval: 25 };
let counter = 0;

interface Scene {
  readonly runtime: Runtime;
  readonly home: string;
  readonly socket: string;
  spec(program: string, change?: Partial<RunSpec>): RunSpec;
  /** Runs tmux on the scene's server. */
  tmux(...args: string[]): string;
}

interface SceneOptions {
  readonly home?: string;
  readonly quietMs?: number;
  /** A machine that differs from this one. */
  readonly changeHost?: (host: Host) => Host;
}

function aScene(options: SceneOptions = {}): Scene {
  const root = tempDir("ao tmux '%H#{pid}-");
  const home = options.home ?? join(root, "home");
  mkdirSync(home, { recursive: true });
  const { changeHost = (host: Host) => host } = options;
  const host = changeHost(createNodeHost({ log: createSilentLog() }));
  const config = tmux.config.parse({ settleMs: 100, quietMs: options.quietMs ?? 15_000 });
  const runtime = tmux.create(config, host, { home, projectPath: root });
  const socket = chooseSocket(home).path;
  const specs: RunSpec[] = [];
  onTestFinished(async () => {
    for (const spec of specs) await runtime.end(spec, 0);
    spawnSync("tmux", ["-S", socket, "kill-server"]);
  });
  return {
    runtime,
    home,
    socket,
    tmux: (...args) => execFileSync("tmux", ["-u", "-S", socket, ...args], { encoding: "utf8", stdio: "pipe" }),
    spec: (program, change = {}) => {
      counter += 1;
      const sessionId = change.sessionId ?? "web-1";
      const intentId = `intent-${process.pid}-${counter}`;
      const spec: RunSpec = {
        sessionId,
        run: 1,
        runDir: join(home, "sessions", sessionId, String(change.run ?? 1)),
        intentId,
        argv: ["sh", "-c", program],
        cwd: root,
        env: { PATH: process.env["PATH"] ?? "", AO_INTENT: intentId },
        input: "terminal",
        initialInput: "",
        ...change,
      };
      specs.push(spec);
      return spec;
    },
  };
}

/** Puts a tmux on PATH that runs this shell code instead of opening a session. */
function onNewSession(code: (tmux: string) => string): void {
  const bin = tempDir();
  const real = execFileSync("sh", ["-c", "command -v tmux"], { encoding: "utf8" }).trim();
  const script = `#!/bin/sh\ncase "$*" in *new-session*) ${code(real)};; esac\nexec ${real} "$@"\n`;
  writeFileSync(join(bin, "tmux"), script, { mode: 0o755 });
  vi.stubEnv("PATH", `${bin}:${process.env["PATH"]}`);
  onTestFinished(() => void vi.unstubAllEnvs());
}

function read(spec: RunSpec, name: string): string {
  return readFileSync(join(spec.runDir, name), "utf8");
}

async function countIntent(intentId: string): Promise<number> {
  return (await createHostProcesses().findByIntent(intentId)).length;
}

function runLate(spec: RunSpec): { readonly code: number | null; readonly ran: boolean } {
  writeFileSync(join(spec.runDir, "wrap.sh"), WRAPPER);
  const mark = join(spec.runDir, "ran");
  writeFileSync(join(spec.runDir, "launch"), formatLaunch({ env: {}, cwd: "/", argv: ["/usr/bin/touch", mark] }));
  const { status } = spawnSync("sh", [join(spec.runDir, "wrap.sh")]);
  return { code: status, ran: existsSync(mark) };
}

async function untilFile(path: string, text: string | RegExp): Promise<void> {
  await vi.waitFor(() => expect(readFileSync(path, "utf8")).toMatch(text), patience);
}

describe.skipIf(!hasTmux)(title, () => {
  it("starts a program in a 200-column terminal, keeps its output and reports its exit code", async () => {
    const scene = aScene();
    const spec = scene.spec('stty size; test -t 0 && test -t 1 && echo "both $GREETING"; exit 7', {
      env: { PATH: process.env["PATH"] ?? "", GREETING: "it's\n'me'" },
    });
    const answer = await scene.runtime.start(spec);
    expect(["started", "exited"]).toContain(answer.kind);
    await vi.waitFor(
      async () => expect(await scene.runtime.probe(spec)).toEqual({ kind: "exited", code: 7 }),
      patience,
    );
    await untilFile(join(spec.runDir, "out"), /50 200\r\nboth it's\r\n'me'/);
    expect(await scene.runtime.terminal?.capture(spec)).toContain("both it's\n'me'");
    await scene.runtime.end(spec, 1000);
    expect(await scene.runtime.probe(spec)).toEqual({ kind: "exited", code: 7 });
  });

  it("passes a line-protocol program its files next to the terminal, which stays its own", async () => {
    const scene = aScene();
    const program = `test -t 1 && echo shown; node -e '
      const { inbox, outbox, pane } = JSON.parse(process.env.AO_SCREEN);
      const fs = require("fs");
      fs.appendFileSync(outbox, fs.readFileSync(inbox, "utf8") + pane.target + "\\n");
    '; sleep 60`;
    const spec = scene.spec(program, { input: "inbox", initialInput: "first line\n" });
    await scene.runtime.start(spec);
    await untilFile(join(spec.runDir, "out"), /^first line\n=ao-web-1-1:\n$/);
    await untilFile(join(spec.runDir, "screen"), /^shown/);
    expect(await scene.runtime.terminal?.capture(spec)).toContain("shown");
  });

  it("passes the program the given environment and nothing of the daemon's", async () => {
    const scene = aScene();
    vi.stubEnv("AO_TEST_OF_DAEMON", "leak");
    onTestFinished(() => void vi.unstubAllEnvs());
    const spec = scene.spec("env > env.txt.new; mv env.txt.new env.txt; cat", {
      env: { PATH: process.env["PATH"] ?? "", ONLY: "this", TMUX: "/tmp/other,1,0", TERM: "dumb" },
    });
    await scene.runtime.start(spec);
    await untilFile(join(spec.cwd, "env.txt"), /ONLY=this/);
    const names = readFileSync(join(spec.cwd, "env.txt"), "utf8")
      .split("\n")
      .filter((line) => line !== "");
    // The test's own shell adds these.
    const ofShell = ["PWD", "OLDPWD", "SHLVL", "_"];
    const own = names.map((line) => line.split("=")[0] ?? "").filter((name) => !ofShell.includes(name));
    expect(own.sort()).toEqual(["AO_INTENT", "ONLY", "PATH", "TERM", "TERM_PROGRAM", "TERM_PROGRAM_VERSION"]);
    expect(names).toContain("TERM=screen-256color");
  });

  it("shows no environment value in any process's arguments, nor on disk once it runs", async () => {
    const scene = aScene();
    const secret = `s3cret-${process.pid}-${Date.now()}`;
    const spec = scene.spec('echo "got $API_KEY" | tr s S; cat', {
      env: { PATH: process.env["PATH"] ?? "", API_KEY: secret },
    });
    await scene.runtime.start(spec);
    await untilFile(join(spec.runDir, "out"), /got S3cret/);
    expect(execFileSync("ps", ["-eww", "-o", "args="], { encoding: "utf8" })).not.toContain(secret);
    expect(spawnSync("grep", ["-rlF", secret, scene.home]).status).toBe(1);
  });

  it("adopts a running program on a second start, even from another daemon", async () => {
    const scene = aScene();
    const spec = scene.spec("echo started >> starts; echo up; cat");
    const first = await scene.runtime.start(spec);
    const second = await aScene({ home: scene.home }).runtime.start(spec);
    expect(second).toEqual(first);
    expect(await scene.runtime.probe(spec)).toEqual({ kind: "alive", pid: first.kind === "started" && first.pid });
    await untilFile(join(spec.runDir, "out"), /up/);
    expect(readFileSync(join(spec.cwd, "starts"), "utf8")).toBe("started\n");
  });

  it("starts one program when two starts of the same run race", async () => {
    const scene = aScene();
    const spec = scene.spec("echo started >> starts; echo up; cat");
    const [first, second] = await Promise.all([scene.runtime.start(spec), scene.runtime.start(spec)]);
    expect(second).toEqual(first);
    await untilFile(join(spec.runDir, "out"), /up/);
    expect(readFileSync(join(spec.cwd, "starts"), "utf8")).toBe("started\n");
  });

  it("reports a missing program as exit code 127", async () => {
    const scene = aScene();
    const spec = scene.spec("", { argv: ["no-such-program-here"] });
    await scene.runtime.start(spec);
    await vi.waitFor(
      async () => expect(await scene.runtime.probe(spec)).toEqual({ kind: "exited", code: 127 }),
      patience,
    );
  });

  it("records how a program ended that filled the disk", async ({ skip }) => {
    const disk = smallDisk(1);
    if (disk === null) return skip("this user may not mount a file system");
    const scene = aScene();
    const spec = scene.spec("yes | head -c 4M >flood; exit 3", { cwd: disk, runDir: join(disk, "run") });
    await scene.runtime.start(spec);
    await vi.waitFor(
      async () => expect(await scene.runtime.probe(spec)).toEqual({ kind: "exited", code: 3 }),
      patience,
    );
    expect(statfsSync(disk).bavail).toBe(0);
  });

  it("starts a program although the disk is too full to record its identity", async () => {
    const changeHost = (host: Host): Host => {
      const writeText: Host["fs"]["writeText"] = async (path, text, options) => {
        if (path.endsWith("/identity.json")) throw new Error("ENOSPC");
        await host.fs.writeText(path, text, options);
      };
      return { ...host, fs: { ...host.fs, writeText } };
    };
    const scene = aScene({ changeHost });
    const spec = scene.spec("sleep 60");
    const started = await scene.runtime.start(spec);
    expect(await scene.runtime.probe(spec)).toEqual({
      kind: "alive",
      pid: started.kind === "started" ? started.pid : 0,
    });
  });

  it("rejects a process per message, and a missing folder", async () => {
    const scene = aScene();
    const file = scene.runtime.start(scene.spec("cat", { input: "file" }));
    await expect(file).rejects.toMatchObject({ code: "unsupported" });
    const nowhere = scene.runtime.start(scene.spec("cat", { cwd: join(scene.home, "none") }));
    await expect(nowhere).rejects.toMatchObject({ code: "workspace-missing" });
  });

  it("adopts a program that started although the tmux command which asked for it was killed", async () => {
    const home = join(tempDir(), "home");
    const claim = join(home, "sessions/web-1/1/claim");
    onNewSession((tmux) => `${tmux} "$@"; while [ ! -e ${claim} ]; do sleep 0.02; done; kill -9 $$`);
    const scene = aScene({ home });
    const spec = scene.spec("sleep 60");
    expect(await scene.runtime.start(spec)).toMatchObject({ kind: "started" });
    expect(await scene.runtime.probe(spec)).toMatchObject({ kind: "alive" });
  });

  it("starts nothing later if the tmux command that asked for it was killed", async () => {
    const gate = join(tempDir(), "gate");
    const later = (tmux: string): string => `while [ ! -e ${gate} ]; do sleep 0.02; done; ${tmux} "$@"`;
    onNewSession((tmux) => `(${later(tmux)}; touch ${gate}.passed) >/dev/null 2>&1 & kill -9 $$`);
    const scene = aScene();
    const spec = scene.spec("sleep 60");
    await expect(scene.runtime.start(spec)).rejects.toThrow(/tmux/);
    vi.unstubAllEnvs();
    writeFileSync(gate, "");
    await vi.waitFor(() => expect(existsSync(`${gate}.passed`)).toBe(true), patience);
    await vi.waitFor(() => expect(scene.tmux("list-panes", "-a", "-F", "#{pane_dead}")).toBe("1\n"), patience);
    expect(existsSync(join(spec.runDir, "pid"))).toBe(false);
  });

  it("reports gone, with evidence, if the tmux server was killed", async () => {
    const scene = aScene();
    const spec = scene.spec("cat");
    await scene.runtime.start(spec);
    scene.tmux("kill-server");
    await vi.waitFor(async () => {
      const probe = await scene.runtime.probe(spec);
      expect(probe).toMatchObject({ kind: "gone", evidence: expect.stringMatching(/tmux/) });
    }, patience);
  });

  it("reports gone if every process of the run was killed at once", async () => {
    const scene = aScene();
    const spec = scene.spec("cat");
    await scene.runtime.start(spec);
    expect((await scene.runtime.probe(spec)).kind).toBe("alive");
    process.kill(-Number(read(spec, "wrapper")), "SIGKILL");
    await vi.waitFor(async () => expect((await scene.runtime.probe(spec)).kind).toBe("gone"), patience);
  });

  it("does not mistake a reused pid for the program", async () => {
    const scene = aScene();
    const spec = scene.spec("cat");
    mkdirSync(join(spec.runDir, "lock"), { recursive: true });
    writeFileSync(join(spec.runDir, "intent"), spec.intentId);
    writeFileSync(join(spec.runDir, "pid"), `${process.pid}\n`);
    expect((await scene.runtime.probe(spec)).kind).toBe("gone");
  });

  it("reports starting while a lock is young, gone later, and a terminal that starts after that runs nothing", async () => {
    const scene = aScene();
    const spec = scene.spec("cat");
    const lock = join(spec.runDir, "lock");
    expect((await scene.runtime.probe(spec)).kind).toBe("gone");
    mkdirSync(lock, { recursive: true });
    expect((await scene.runtime.probe(spec)).kind).toBe("starting");
    utimesSync(lock, new Date(Date.now() - 11_000), new Date(Date.now() - 11_000));
    expect((await scene.runtime.probe(spec)).kind).toBe("gone");
    await expect(scene.runtime.start(spec)).rejects.toMatchObject({ category: "unavailable" });
    expect(runLate(spec)).toEqual({ code: 1, ran: false });
  });

  it("starts nothing in a run that was ended before its terminal started", async () => {
    const scene = aScene();
    const spec = scene.spec("cat");
    mkdirSync(join(spec.runDir, "lock"), { recursive: true });
    await scene.runtime.end(spec, 0);
    expect((await scene.runtime.probe(spec)).kind).toBe("gone");
    expect(runLate(spec)).toEqual({ code: 1, ran: false });
  });

  it("ends a program, its children in other groups, its session and its server; twice is fine", async () => {
    const scene = aScene();
    const spec = scene.spec(
      "setsid sh -c 'trap \"\" HUP TERM; while :; do sleep 1; done' & trap '' TERM HUP; sleep 1000 & cat",
    );
    await scene.runtime.start(spec);
    await vi.waitFor(async () => expect(await countIntent(spec.intentId)).toBeGreaterThan(3), patience);
    await scene.runtime.end(spec, 100);
    expect(await countIntent(spec.intentId)).toBe(0);
    expect((await scene.runtime.probe(spec)).kind).toBe("exited");
    await scene.runtime.end(spec, 100);
    await vi.waitFor(() => expect(() => scene.tmux("ls")).toThrow(/no server|error connecting/), patience);
  });

  it("ends one run and leaves the server with the others, even if it was started for that run's intent", async () => {
    const scene = aScene();
    const [one, other] = [scene.spec("cat", { sessionId: "one" }), scene.spec("cat", { sessionId: "other" })];
    const host = createNodeHost({ log: createSilentLog() });
    await host.withIntent(one.intentId, () => scene.runtime.start(one));
    await host.withIntent(other.intentId, () => scene.runtime.start(other));
    await scene.runtime.end(one, 1000);
    expect((await scene.runtime.probe(one)).kind).toBe("exited");
    expect((await scene.runtime.probe(other)).kind).toBe("alive");
  });

  it("starts and ends many runs at once, over and over, while the server comes and goes with them", async () => {
    const scene = aScene();
    for (let run = 1; run <= 4; run += 1) {
      const specs = Array.from({ length: 6 }, (_, index) => scene.spec("cat", { sessionId: `many-${index}`, run }));
      const answers = await Promise.all(specs.map((spec) => scene.runtime.start(spec)));
      expect(answers.map((answer) => answer.kind)).toEqual(specs.map(() => "started"));
      await Promise.all(specs.map((spec) => scene.runtime.end(spec, 5000)));
      const probes = await Promise.all(specs.map((spec) => scene.runtime.probe(spec)));
      expect(probes).toEqual(specs.map(() => ({ kind: "exited", code: 143 })));
    }
  });

  it("gives a program its grace period to end by itself", async () => {
    const scene = aScene();
    const spec = scene.spec("trap 'echo tidy > tidied; exit 3' TERM; echo up; while :; do sleep 0.05; done");
    await scene.runtime.start(spec);
    await untilFile(join(spec.runDir, "out"), /up/);
    await scene.runtime.end(spec, 10_000);
    expect(await scene.runtime.probe(spec)).toEqual({ kind: "exited", code: 3 });
    expect(readFileSync(join(spec.cwd, "tidied"), "utf8")).toBe("tidy\n");
  });

  it("works for a home whose path is too long for a socket, and if the daemon runs inside tmux", async () => {
    vi.stubEnv("TMUX", "/tmp/tmux-0/default,1,0");
    vi.stubEnv("TMUX_PANE", "%0");
    onTestFinished(() => void vi.unstubAllEnvs());
    const scene = aScene({ home: join(tempDir(), "long-".repeat(30)) });
    const spec = scene.spec("cat");
    expect((await scene.runtime.start(spec)).kind).toBe("started");
    await scene.runtime.terminal?.type(spec, "hello");
    await untilFile(join(spec.runDir, "out"), /hello/);
    await scene.runtime.end(spec, 1000);
    execFileSync("rm", ["-r", join(scene.socket, "..")]);
  });
});

describe.skipIf(!hasTmux)(`${title}, typing`, () => {
  it("delivers 64 KiB of lines to a program that reads lines, byte for byte", async () => {
    const scene = aScene();
    const spec = scene.spec("stty -echo; echo ready; cat > got");
    await scene.runtime.start(spec);
    await untilFile(join(spec.runDir, "out"), /ready/);
    const line = `it's a "line" with \\ and $x and ünï ${"x".repeat(200)}\t#{pane_id}`;
    const text = Array.from({ length: 260 }, (_, index) => `${index} ${line}`).join("\n");
    expect(Buffer.byteLength(text)).toBeGreaterThan(64 * 1024);
    await scene.runtime.terminal?.type(spec, text);
    await vi.waitFor(() => expect(readFileSync(join(spec.cwd, "got"), "utf8")).toBe(`${text}\n`), patience);
  });

  it("delivers 1 MiB as one paste to a program that enabled pasting, and presses Enter after it", async () => {
    const scene = aScene();
    const spec = scene.spec("stty raw -echo; printf '\\033[?2004hready'; exec cat > got");
    await scene.runtime.start(spec);
    await untilFile(join(spec.runDir, "out"), /ready/);
    const text = `one\ntwo ${"y".repeat(1024 * 1024)}`;
    await scene.runtime.terminal?.type(spec, text);
    const wanted = `\x1b[200~${text.replaceAll("\n", "\r")}\x1b[201~\r`;
    await vi.waitFor(() => expect(readFileSync(join(spec.cwd, "got"), "utf8")).toBe(wanted), patience);
  });

  it("keeps the texts of sessions apart whose names share a prefix", async () => {
    const scene = aScene();
    const specs = ["web-1", "web-10", "web-1-1"].map((sessionId) =>
      scene.spec(`cat > got-${sessionId}`, { sessionId }),
    );
    for (const spec of specs) await scene.runtime.start(spec);
    for (const spec of specs) await scene.runtime.terminal?.type(spec, `for ${spec.sessionId}`);
    for (const spec of specs) {
      const got = join(spec.cwd, `got-${spec.sessionId}`);
      await vi.waitFor(() => expect(readFileSync(got, "utf8")).toBe(`for ${spec.sessionId}\n`), patience);
    }
    const [first, ...others] = specs as [RunSpec, ...RunSpec[]];
    await scene.runtime.end(first, 1000);
    for (const other of others) expect((await scene.runtime.probe(other)).kind).toBe("alive");
    await expect(scene.runtime.terminal?.type(first, "lost")).rejects.toMatchObject({ category: "not-found" });
  });

  it.each(["\x1b[201~", "a\rb", "a\x03", "\x7f", "\u009b31m"])("rejects the control characters in %j", async (text) => {
    const scene = aScene();
    await expect(scene.runtime.terminal?.type(scene.spec("cat"), text)).rejects.toMatchObject({
      code: "message-refused",
    });
  });

  it("never pastes into a dead pane, and the other sessions live on", async () => {
    const scene = aScene();
    const [dead, other] = [scene.spec("exit 0", { sessionId: "dead" }), scene.spec("cat", { sessionId: "other" })];
    await scene.runtime.start(other);
    await scene.runtime.start(dead);
    await vi.waitFor(async () => {
      expect(await scene.runtime.terminal?.guard(dead)).toMatchObject({
        kind: "wait",
        reason: expect.stringMatching(/ended/),
      });
    }, patience);
    await expect(scene.runtime.terminal?.type(dead, "hello")).rejects.toMatchObject({ category: "not-found" });
    expect((await scene.runtime.probe(other)).kind).toBe("alive");
    expect(scene.tmux("list-buffers")).toBe("");
  });

  it("reports wait for a terminal that is gone", async () => {
    const scene = aScene();
    expect(await scene.runtime.terminal?.guard(scene.spec("cat"))).toMatchObject({ kind: "wait" });
  });
});
