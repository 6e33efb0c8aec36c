import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { SessionDetailView } from "../../src/protocol/views/session.ts";
import { git } from "../../src/testing/git-repo.ts";
import { diskFolder, removeFolder } from "../../src/testing/temp.ts";
import { begin, hasBubblewrap, note, run, shellAgent } from "../e2e/sandbox/stage.ts";
import { ao } from "../e2e/survival/ao.ts";
import { reach } from "../e2e/survival/session.ts";
import { shareFleet } from "../support/fleet.ts";
import { until } from "../support/until.ts";

/** Where a person keeps what nobody else may read, below the home folder. */
const SECRETS = [
  ...[".ssh/id_rsa", ".aws/credentials", ".config/gh/hosts.yml", ".netrc", ".claude/.credentials.json"],
  ...[".codex/auth.json", ".gnupg/secring", ".kube/config", ".docker/config.json", ".git-credentials", "notes.txt"],
];

describe.skipIf(!hasBubblewrap)(`what an agent in a sandbox commits, run as a check${note}`, () => {
  const user = realpathSync(mkdtempSync(join(diskFolder(), "ao-user-")));
  const server = createServer((socket) => socket.end("reached"));
  const fleet = shareFleet({
    agentConfig: { command: [shellAgent], sandbox: { plugin: "bubblewrap", network: "none" } },
    files: { "a.txt": "a\n", ".gitignore": "deps/\n" },
    project: {
      env: { HOME: user },
      checks: { test: { run: "sh check.sh", setup: "sh set-up.sh" } },
      policies: { approvals: 0 },
    },
  });
  let port = 0;
  let count = 0;

  beforeAll(async () => {
    for (const path of SECRETS) {
      mkdirSync(join(user, path, ".."), { recursive: true });
      writeFileSync(join(user, path), "canary\n");
    }
    writeFileSync(join(user, ".npmrc"), "registry=https://npm.example/\n//npm.example/:_authToken=canary\n");
    writeFileSync(join(fleet().repo, "untracked.env"), "canary\n");
    await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
    ({ port } = server.address() as { port: number });
  });
  afterAll(() => {
    server.close();
    removeFolder(user);
  });

  /** Commits a check, and returns what it and its set-up printed once it is over. */
  async function check(command: string, setUp = "true"): Promise<{ readonly id: string; readonly log: string }> {
    count += 1;
    const { id } = await begin(fleet(), `check ${count}`);
    const write = (file: string, text: string): string =>
      `echo ${Buffer.from(text).toString("base64")} | base64 -d > ${file}`;
    const commit = "git add -A && git -c user.name=a -c user.email=a@b.c commit -qm check";
    await run(fleet(), id, `${write("check.sh", command)} && ${write("set-up.sh", setUp)} && ${commit}`);
    const { pullRequests } = await reach(fleet(), id, "checked", (seen) => isOver(seen));
    return { id, log: logOf(pullRequests[0]?.number ?? 0) };
  }

  function isOver(session: SessionDetailView): boolean {
    return !["none", "queued", "running"].includes(stateOf(session));
  }

  function stateOf({ pullRequests: [first] }: SessionDetailView): string {
    return first?.checks[0]?.state ?? "none";
  }

  function logOf(number: number): string {
    const folder = join(fleet().home, "checks/demo", String(number));
    return readdirSync(folder)
      .flatMap((attempt) => ["setup.log", "log"].map((name) => join(folder, attempt, name)))
      .filter((path) => existsSync(path))
      .map((path) => readFileSync(path, "utf8"))
      .join("");
  }

  it("works as outside: its own files, a temporary folder, a home, git", async () => {
    const { id, log } = await check(
      "set -e; test -f a.txt; echo x >built; echo y >/tmp/y; echo z >~/z; git log --oneline -1; test -f deps/one; echo fine",
      "mkdir deps && echo one >deps/one",
    );
    expect(log).toContain("fine");
    expect(stateOf(await fleet().session(id))).toBe("passed");
  });

  it("reads no secret of the user and none of ao, in the check and in its set-up", async () => {
    const look = [
      ...SECRETS.map((path) => join(user, path)),
      ...[join(user, ".npmrc"), join(fleet().repo, "untracked.env")],
      ...["token", "ao.db", "daemon.json"].map((name) => join(fleet().home, name)),
    ];
    const script = `for f in ${look.join(" ")}; do cat $f | sed "s#^#LEAK $f #"; done; env | grep -i -E "token|ssh_auth" ; echo looked`;
    const { log } = await check(script, script);
    expect(log.match(/looked/g)).toHaveLength(2);
    const registry = `LEAK ${join(user, ".npmrc")} registry=https://npm.example/`;
    expect(log.split("\n").filter((line) => line.startsWith("LEAK") && line !== registry)).toEqual([]);
  });

  it("cannot approve or merge over the socket or the port", async () => {
    const { port: own } = JSON.parse(readFileSync(join(fleet().home, "daemon.json"), "utf8")) as { port: number };
    const call = `process.argv.slice(1).forEach(p => require('http').request(/^\\d+$/.test(p) ? { port: p, path: '/healthz' } : { socketPath: p, path: '/healthz' }, r => console.log('CALLED', p, r.statusCode)).on('error', e => console.log('closed', e.code)).end())`;
    const script = `${process.execPath} -e "${call.replaceAll('"', '\\"')}" ${fleet().socket} ${own}`;
    const { log } = await check(script);
    expect(log).not.toContain("CALLED");
    expect(log.match(/closed/g)).toHaveLength(2);
  });

  it("has no network when its session has none; its set-up has", async () => {
    const script = `${process.execPath} -e "require('net').connect(${port}, '127.0.0.1').on('data', d => console.log(String(d), process.argv[1])).on('error', e => console.log(e.code, process.argv[1]))"`;
    const { log } = await check(`${script} check`, `${script} set-up`);
    expect(log).toContain("reached set-up");
    expect(log).toContain("ECONNREFUSED check");
  });

  it("leaves no process behind", async () => {
    const sleep = `sleep ${100_000 + process.pid}`;
    const away = `setsid sh -c 'exec >/dev/null 2>&1 </dev/null; env -i ${sleep}' & sleep 0.1; echo left`;
    expect((await check(away)).log).toContain("left");
    await until("it to end", () => !allCommands().some((line) => line.includes(sleep.replace(" ", "\0"))));
  });

  it("writes nowhere outside, not to the repository and not to the home", async () => {
    const before = git(fleet().repo, "for-each-ref");
    const marks = [
      join(user, "mark"),
      join(fleet().repo, "mark"),
      join(fleet().repo, ".git/mark"),
      join(fleet().home, "mark"),
    ];
    const { log } = await check(
      `for f in ${marks.join(" ")}; do echo x >$f; done; git update-ref refs/heads/stolen HEAD; echo tried`,
    );
    expect(log).toContain("tried");
    expect(marks.filter((path) => existsSync(path))).toEqual([]);
    const stolen = git(fleet().repo, "for-each-ref")
      .split("\n")
      .filter((line) => line.includes("stolen"));
    expect({ stolen, before: before === "" }).toEqual({ stolen: [], before: false });
  });

  it("prepares nothing that a check outside uses", async () => {
    await check("echo one", "mkdir deps && echo poison >deps/one");
    const inside = join(fleet().home, "cache/setup/demo");
    expect(existsSync(inside) ? readdirSync(inside) : []).toEqual([]);
  });

  it("starts no program of the daemon by the settings of its checkout", async () => {
    const mark = join(fleet().dir, "mark");
    const program = `!touch ${mark}; cat`;
    const set = ["core.fsmonitor", "core.hooksPath", "filter.x.clean", "core.sshCommand", "core.pager"];
    const setUp = `${set.map((name) => `git config ${name} '${program.replace("!", "")}'`).join("; ")}; echo '* filter=x' >.git/info/attributes; mkdir deps; echo a >deps/a; echo set`;
    const { log } = await check("echo ran", setUp);
    expect(log).toContain("ran");
    expect(existsSync(mark)).toBe(false);
  });

  it("is no red check when its sandbox refused a host: the inbox names the setting, and the agent is not woken", async () => {
    const ask = `${process.execPath} -e "require('dns').lookup('registry.npmjs.org', e => { console.log(e.message); process.exit(1) })"`;
    const { id } = await check(ask);
    const { status, messages } = await fleet().session(id);
    expect(status).toBe("check-setup-failed");
    expect(messages.filter(({ kind }) => kind === "message")).toHaveLength(1);
    const setting = "checks.test.sandbox: { network: [registry.npmjs.org] }";
    await until("the inbox to name it", async () =>
      (await ao(fleet(), "inbox")).replaceAll(/\s+/g, " ").includes(setting),
    );
    expect(await ao(fleet(), "pr", "show", id)).toContain(setting);
  });

  it("is shown as sandboxed", async () => {
    const { id } = await check("true");
    expect(await ao(fleet(), "pr", "show", id)).toContain("sandboxed");
  });
});

function allCommands(): readonly string[] {
  return readdirSync("/proc").flatMap((pid) => {
    try {
      return /^\d+$/.test(pid) ? [readFileSync(`/proc/${pid}/cmdline`, "utf8")] : [];
    } catch {
      return [];
    }
  });
}
