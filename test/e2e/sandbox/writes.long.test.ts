import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { git } from "../../../src/testing/git-repo.ts";
import { PATIENCE_MS } from "../../../src/testing/patience.ts";
import { tempDir } from "../../../src/testing/temp.ts";
import { begin, hasBubblewrap, note, run, stage } from "./stage.ts";

const READ_ONLY = /Read-only file system|Device or resource busy|Permission denied/;

describe.skipIf(!hasBubblewrap)(`an agent in a sandbox${note}`, () => {
  it("commits in its worktree, and writes nowhere else", async () => {
    const { fleet, user } = await stage();
    const one = await begin(fleet, "one");
    const two = await begin(fleet, "two");
    const at = (command: string): Promise<string> => run(fleet, one.id, command);
    expect(await at("echo b > b.txt && git add -A && git commit -qm inside")).toBe("");
    const seen = (): string => git(fleet.repo, "log", "--format=%s", "-1", one.branch).trim();
    await expect.poll(seen, { timeout: PATIENCE_MS }).toBe("inside");
    const { repo } = fleet;
    const other = two.workspacePath ?? "";
    const targets = [
      join(user, "x"),
      join(repo, "a.txt"),
      join(repo, "agent-orchestrator.yaml"),
      join(other, "x"),
      join(repo, ".git/config"),
      join(repo, ".git/hooks/post-commit"),
      join(other, ".git/HEAD"),
      join(repo, ".git/objects/info/alternates"),
      join(repo, ".git/refs/heads/main"),
      ".git/config",
      ".git/commondir",
      ".git/objects/info/alternates",
      "/usr/x",
      "/proc/sys/kernel/panic",
    ];
    const before = targets.map((path) => contentOf(join(one.workspacePath ?? "", path), path));
    for (const path of targets) expect(await at(`echo x >> ${path}`), path).toMatch(READ_ONLY);
    expect(await at("mv .git gone && echo gone")).toMatch(READ_ONLY);
    expect(targets.map((path) => contentOf(join(one.workspacePath ?? "", path), path))).toEqual(before);
  });

  it("sees no token, no store, no socket, no other session and no process's files", async () => {
    const { fleet } = await stage();
    const { id } = await begin(fleet, "one");
    await begin(fleet, "two");
    const secret = readFileSync(join(fleet.home, "token"), "utf8").trim();
    const seen = await run(fleet, id, 'find "$AO_HOME" -type f -o -type s');
    expect(seen).toBe(join(fleet.home, "sessions", id, "bridge/brief-1.md"));
    expect(await run(fleet, id, 'ls "$AO_HOME/sessions"')).toBe(id);
    expect(await run(fleet, id, `grep -rs ${secret} "$HOME" "$AO_HOME" /tmp /run; true`)).toBe("");
    await run(fleet, id, 'echo mine > "$AO_HOME/token"');
    expect(readFileSync(join(fleet.home, "token"), "utf8").trim()).toBe(secret);
    expect(await run(fleet, id, `cat /proc/${fleet.daemonPid()}/environ`)).toContain("No such file");
  });

  it("has its own temporary folder, which is removed with the workspace", async () => {
    const { fleet } = await stage();
    const outside = tempDir();
    const { id } = await begin(fleet, "one");
    const command = `ls -d ${outside}; echo mine > /tmp/mine && echo too > /var/tmp/too && cat /tmp/mine`;
    expect(await run(fleet, id, command)).toMatch(/^mine\n.*No such file/s);
    const folder = join(fleet.home, "sessions", id, "tmp");
    expect(existsSync(join(folder, "mine"))).toBe(true);
    await fleet.write("DELETE", `/api/sessions/${id}`);
    await expect.poll(() => existsSync(folder), { timeout: PATIENCE_MS }).toBe(false);
  });

  it("can write where the project allows it", async () => {
    const cache = join(tempDir(), "cache");
    mkdirSync(cache);
    const { fleet } = await stage({ plugin: "bubblewrap", writable: [cache, "~/.cache"] });
    const { id } = await begin(fleet, "one");
    expect(await run(fleet, id, `echo x > ${cache}/x; mkdir ~/.cache`)).toMatch(READ_ONLY);
    expect(readFileSync(join(cache, "x"), "utf8")).toBe("x\n");
  });

  it("finds caches of package managers that it can write and the project's other sandboxes share", async () => {
    const { fleet, user } = await stage({ plugin: "bubblewrap", network: "none" });
    const one = await begin(fleet, "one");
    const two = await begin(fleet, "two");
    const variables = [
      "npm_config_cache",
      "npm_config_store_dir",
      "YARN_CACHE_FOLDER",
      "PIP_CACHE_DIR",
      "CARGO_HOME",
      "GOMODCACHE",
    ];
    for (const name of variables) {
      expect(await run(fleet, one.id, `echo ${name} > "$${name}/mark"`), name).toBe("");
      expect(await run(fleet, two.id, `cat "$${name}/mark"`), name).toBe(name);
    }
    expect(await run(fleet, one.id, "npm config get cache 2>/dev/null")).toBe(join(fleet.home, "caches/demo/npm"));
    expect(existsSync(join(user, ".npm"))).toBe(false);
  });

  it.each([
    ["all", "bubblewrap", /^answer$/],
    ["none", { plugin: "bubblewrap", network: "none" }, /ECONNREFUSED|ENETUNREACH/],
  ])("with the network %s", async (_, sandbox, expected) => {
    const server = createServer((_request, response) => void response.end("answer")).listen(0, "127.0.0.1");
    onTestFinished(() => void server.close());
    await new Promise((resolve) => server.once("listening", resolve));
    const { port } = server.address() as AddressInfo;
    const { fleet } = await stage(sandbox);
    const { id } = await begin(fleet, "one");
    const script = `fetch('http://127.0.0.1:${port}').then((r) => r.text()).then(console.log, (e) => console.log(e.cause.code))`;
    expect(await run(fleet, id, `node -e "${script}"`)).toMatch(expected);
  });

  it("commits in a clone, whose commits reach the project", async () => {
    const { fleet } = await stage("bubblewrap", { workspace: "clone" });
    const { id, branch } = await begin(fleet, "one");
    expect(await run(fleet, id, "echo b > b.txt && git add -A && git commit -qm inside")).toBe("");
    const seen = (): string => git(fleet.repo, "log", "--format=%s", "-1", branch).trim();
    await expect.poll(seen, { timeout: PATIENCE_MS }).toBe("inside");
    expect(await run(fleet, id, "git config core.pager x")).toMatch(/could not (lock|write) config file/);
    expect(await run(fleet, id, `echo x >> ${fleet.repo}/a.txt`)).toMatch(READ_ONLY);
  });

  it("cannot start a daemon of its own with ao", async () => {
    const { fleet } = await stage();
    const { id } = await begin(fleet, "one");
    const ao = join(import.meta.dirname, "../../../dist/cli/ao.cjs");
    expect(await run(fleet, id, `node ${ao} list`)).toContain("may only read its own session");
    expect(await run(fleet, id, `AO_HOME=$PWD node ${ao} list`)).toContain("cannot be reached from inside a sandbox");
  });
});

function contentOf(inside: string, path: string): string | null {
  const file = path.startsWith("/") ? path : inside;
  return existsSync(file) ? readFileSync(file, "utf8") : null;
}
