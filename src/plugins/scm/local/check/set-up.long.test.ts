import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Host } from "../../../../ports/host.ts";
import type { CheckRequest, Scm } from "../../../../ports/scm.ts";
import type { CheckAnswer } from "../../../../ports/scm-check.ts";
import { eventually } from "../../../../testing/eventually.ts";
import { git } from "../../../../testing/git-repo.ts";
import { openScmFixture, type ScmFixture } from "../../../../testing/scm-fixture.ts";
import { tempDir } from "../../../../testing/temp.ts";
import { localScm } from "../local.ts";

function make(host: Host, home: string): Scm {
  return localScm.create({}, host, { home, projectPath: "" });
}

const always = (): boolean => true;
// The set-up's counter is outside the tree, and the tree has a lockfile and an ignored folder.
const FILES = { ".gitignore": "deps/\n", "package.json": '{ "name": "x" }\n', "a.txt": "a\n" };

interface Counted {
  readonly fixture: ScmFixture;
  readonly out: string;
  run(command: string, changes?: Partial<CheckRequest>): Promise<CheckAnswer>;
  count(): number;
  entries(): readonly string[];
}

function open(files: Readonly<Record<string, string>> = FILES): Counted {
  const fixture = openScmFixture(make, { files });
  const out = tempDir("ao-setup-");
  const cache = join(fixture.home, "cache/setup/p");
  return {
    fixture,
    out,
    run: (command, changes = {}) =>
      fixture.scm.runCheck(
        {
          project: fixture.project,
          commit: git(fixture.repo, "rev-parse", "main").trim(),
          check: "test",
          run: command,
          setup: "echo one >>$OUT/count; mkdir -p deps/lib && echo dep >deps/lib/a",
          timeoutMs: 60_000,
          folder: tempDir("ao-check-"),
          intentId: `set-up-test/${out}/${Math.random()}`,
          env: { PATH: process.env["PATH"] ?? "", HOME: out, OUT: out },
          ...changes,
        },
        always,
      ),
    count: () => (existsSync(join(out, "count")) ? readFileSync(join(out, "count"), "utf8").split("\n").length - 1 : 0),
    entries: () => (existsSync(cache) ? readdirSync(cache) : []),
  };
}

describe("set-up", () => {
  it("installs a dependency offline, so that a test that needs it passes at once, and only once", async () => {
    const package_ = join(tempDir(), "dep");
    mkdirSync(package_);
    writeFileSync(join(package_, "package.json"), '{ "name": "dep", "version": "1.0.0", "main": "index.js" }');
    writeFileSync(join(package_, "index.js"), "module.exports = 42;\n");
    const { fixture, run, out, entries } = open({ ".gitignore": "node_modules\n", "a.txt": "a\n" });
    const env = { ...process.env, npm_config_offline: "true", npm_config_cache: join(out, "npm"), HOME: out };
    execFileSync("npm", ["pack", "--silent", "--pack-destination", fixture.side, package_], { env });
    writeFileSync(
      join(fixture.side, "package.json"),
      '{ "name": "x", "scripts": { "test": "node test.js" }, "dependencies": { "dep": "file:dep-1.0.0.tgz" } }',
    );
    writeFileSync(
      join(fixture.side, "test.js"),
      'require("fs").appendFileSync(process.env.OUT + "/ran", "x"); if (require("dep") !== 42) process.exit(1);',
    );
    execFileSync("npm", ["install", "--silent", "--package-lock-only", "--no-audit"], { cwd: fixture.side, env });
    git(fixture.side, "add", "-A");
    git(fixture.side, "commit", "-q", "-m", "needs dep");
    const commit = git(fixture.side, "rev-parse", "HEAD").trim();
    const check = {
      commit,
      setup: null,
      env: { PATH: process.env["PATH"] ?? "", HOME: out, OUT: out, npm_config_offline: "true" },
    };
    expect(await run("npm test", check)).toMatchObject({ kind: "passed" });
    expect(entries()).toHaveLength(1);
    // Without npm on the PATH there is only the saved result, and the log says so.
    const kept = await run("grep -q '^ao: set-up reused.*same lockfile' ../setup.log && node test.js", check);
    expect(kept).toMatchObject({ kind: "passed" });
    expect(readFileSync(join(out, "ran"), "utf8")).toBe("xx");
  });

  it("runs once for two checks of the same commit, one after another or at once", async () => {
    const { run, count } = open();
    const answers = await Promise.all([run("cat deps/lib/a"), run("cat deps/lib/a"), run("cat deps/lib/a")]);
    expect(answers).toEqual(answers.map(() => expect.objectContaining({ kind: "passed", log: "dep" })));
    expect((await run("cat deps/lib/a; echo changed >deps/lib/a")).kind).toBe("passed");
    expect(await run("cat deps/lib/a")).toMatchObject({ kind: "passed", log: "dep" });
    expect(count()).toBe(1);
  });

  it("runs again for another commit if it may build from its files", async () => {
    const { fixture, run, count } = open();
    await run("true");
    await fixture.commit("main", { "a.txt": "b\n" });
    await run("true");
    expect(count()).toBe(2);
  });

  it("is reused for all commits with the same lockfiles if it only installs", async () => {
    const { fixture, run, out, entries } = open({ ...FILES, "package-lock.json": "{}\n" });
    const bin = join(out, "bin");
    mkdirSync(bin);
    writeFileSync(join(bin, "npm"), "#!/bin/sh\necho one >>$OUT/count; mkdir -p deps; echo $1 >deps/a\n", {
      mode: 0o755,
    });
    const env = { PATH: `${bin}:${process.env["PATH"] ?? ""}`, HOME: out, OUT: out };
    expect(await run("cat deps/a", { setup: null, env })).toMatchObject({ kind: "passed", log: "ci" });
    await fixture.commit("main", { "a.txt": "b\n" });
    expect(await run("cat deps/a", { setup: null, env })).toMatchObject({ kind: "passed", log: "ci" });
    expect(entries()).toHaveLength(1);
    await fixture.commit("main", { "package-lock.json": "{ }\n" });
    await run("cat deps/a", { setup: null, env });
    expect(readFileSync(join(out, "count"), "utf8")).toBe("one\none\n");
  });

  it("is reused for all commits with the same package.json if there is no lockfile, and reports it", async () => {
    const manifest = '{ "name": "x", "dependencies": { "dep": "1" } }';
    const { fixture, run, out } = open({ ".gitignore": "deps/\n", "package.json": `${manifest}\n`, "a.txt": "a\n" });
    const bin = join(out, "bin");
    mkdirSync(bin);
    // Without a lockfile npm writes one, which is part of the saved result.
    const script = "#!/bin/sh\necho one >>$OUT/count; mkdir -p deps; echo $1 >deps/a; echo {} >package-lock.json\n";
    writeFileSync(join(bin, "npm"), script, { mode: 0o755 });
    const env = { PATH: `${bin}:${process.env["PATH"] ?? ""}`, HOME: out, OUT: out };
    const show = "cat deps/a package-lock.json ../setup.log 2>/dev/null; true";
    expect(await run(show, { setup: null, env })).toMatchObject({ log: "install\n{}" });
    await fixture.commit("main", { "a.txt": "b\n" });
    expect(await run(show, { setup: null, env })).toMatchObject({
      log: expect.stringMatching(
        /^install\n\{\}\nao: set-up reused, not run again: npm install .*\(same package\.json\)$/,
      ),
    });
    await fixture.commit("main", { "package.json": manifest });
    await run(show, { setup: null, env });
    expect(readFileSync(join(out, "count"), "utf8")).toBe("one\none\n");
  });

  it("that fails is never saved, and is distinguished from a red check", async () => {
    const { run, count, entries } = open();
    const setup = "echo one >>$OUT/count; mkdir deps; echo x >deps/a; echo E404 no such package; exit 1";
    for (const times of [1, 2]) {
      expect(await run("true", { setup })).toMatchObject({ kind: "setup-failed", log: "E404 no such package" });
      expect(count()).toBe(times);
    }
    expect(entries()).toEqual([]);
  });

  it("that hangs is reported as a failed set-up", async () => {
    const { run } = open();
    const answer = await run("true", { setup: "echo fetching; sleep 1000", timeoutMs: 500 });
    expect(answer.kind).toBe("setup-failed");
    expect("log" in answer ? answer.log : "").toContain("fetching");
  });

  it("runs again if the saved result is damaged", async () => {
    const damages: readonly ((folder: string) => void)[] = [
      (folder) => rmSync(join(folder, "entry.json")),
      (folder) => writeFileSync(join(folder, "entry.json"), "{"),
      (folder) => rmSync(join(folder, "files/deps/lib/a")),
      (folder) => writeFileSync(join(folder, "files/deps/lib/a"), ""),
    ];
    const { fixture, run, count, entries } = open();
    await run("cat deps/lib/a");
    for (const [index, damage] of damages.entries()) {
      damage(join(fixture.home, "cache/setup/p", entries()[0] ?? ""));
      expect(await run("cat deps/lib/a")).toMatchObject({ kind: "passed", log: "dep" });
      expect(count()).toBe(index + 2);
      expect(entries()).toHaveLength(1);
    }
  });

  it("is not saved if it names its own folder, changes files of the commit, or creates none", async () => {
    const { run, entries } = open();
    await run("true", { setup: "mkdir deps; pwd >deps/path" });
    await run("true", { setup: 'mkdir deps; ln -s "$PWD/a.txt" deps/link' });
    await run("true", { setup: "mkdir deps; echo x >deps/a; echo b >a.txt" });
    await run("true", { setup: "true" });
    expect(entries()).toEqual([]);
  });

  it("is saved for the newest five, and partial ones from a crash are deleted", async () => {
    const { fixture, run, entries } = open();
    mkdirSync(join(fixture.home, "cache/setup/p/.new-crashed/files"), { recursive: true });
    const setup = (n: number): string => `mkdir deps; echo ${n} >deps/a`;
    for (let n = 1; n <= 5; n += 1) await run("true", { setup: setup(n) });
    expect(entries()).toHaveLength(5);
    const first = new Set(entries());
    // The oldest is used again, so the second is deleted.
    expect(await run("grep -q reused ../setup.log && cat deps/a", { setup: setup(1) })).toMatchObject({ log: "1" });
    await run("true", { setup: setup(6) });
    expect(entries()).toHaveLength(5);
    expect(entries().filter((name) => first.has(name))).toHaveLength(4);
    expect(await run("grep -q reused ../setup.log && cat deps/a", { setup: setup(1) })).toMatchObject({ log: "1" });
  });

  it("that others wait for can be abandoned", async () => {
    const { fixture, out, run } = open();
    const setup = "echo one >>$OUT/count; until test -e $OUT/go; do sleep 0.02; done; mkdir deps; echo x >deps/a";
    const first = run("true", { setup });
    await eventually(async () => expect(existsSync(join(out, "count"))).toBe(true));
    const folder = tempDir("ao-check-");
    let asked = 0;
    const waiting = await fixture.scm.runCheck(
      {
        project: fixture.project,
        commit: git(fixture.repo, "rev-parse", "main").trim(),
        check: "lint",
        run: "true",
        setup,
        timeoutMs: 60_000,
        folder,
        intentId: `set-up-test/${folder}`,
        env: { PATH: process.env["PATH"] ?? "", HOME: out, OUT: out },
      },
      () => {
        asked += 1;
        return asked < 5;
      },
    );
    expect(waiting.kind).toBe("cancelled");
    writeFileSync(join(out, "go"), "");
    expect((await first).kind).toBe("passed");
    expect(readFileSync(join(out, "count"), "utf8")).toBe("one\n");
  });
});
