import { lstatSync, mkdirSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { describe, expect, it } from "vitest";
import type { AgentFolder } from "../../src/ports/agent.ts";
import { isFull } from "../../src/testing/full.ts";
import { hasBubblewrap, note } from "../e2e/sandbox/stage.ts";
import { type Machine, makeMachine, snapshot, VENDORS } from "./agent-home.ts";

/** What decides which programs start, or what they believe, in the folders of one vendor or another. */
const DECISIVE = [
  ...["settings.json", "settings.local.json", "config.toml", "config.json", "config.yaml", "hooks.json", "mcp.json"],
  ...[
    "CLAUDE.md",
    "AGENTS.md",
    "GEMINI.md",
    "QWEN.md",
    "opencode.json",
    "mcp-config.json",
    ".env",
    "trusted_hooks.json",
  ],
  ...[
    "hooks/start.sh",
    "skills/one/SKILL.md",
    "commands/one.md",
    "agents/one.md",
    "plugins/one/index.js",
    "rules/a.rules",
  ],
  ...["projects/-main/memory/MEMORY.md", "tmp/main/memory/GEMINI.md", "memories/a.md", "bin/server", "large/index.js"],
];
const LOGIN = '{"token":"user-1234567"}';

/** A home in which the user has configured everything. */
function fill(user: string, folders: readonly AgentFolder[]): void {
  put(join(user, ".bashrc"), "mine\n");
  put(join(user, "dotfiles/more.json"), "{}");
  for (const { path, logins = [], adopted = {} } of folders) {
    for (const name of DECISIVE) put(join(path, name), `the user's ${name}\n`);
    truncateSync(join(path, "large/index.js"), 20 * 1024 * 1024);
    symlinkSync(relative(path, join(user, "dotfiles/more.json")), join(path, "linked.json"));
    for (const { name } of logins) put(join(path, name), LOGIN);
    for (const own of Object.values(adopted)) put(own, '{"mcpServers":{}}');
  }
}

function put(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

/** Attempts on a folder `$F` of the user's home `$U`; each is a shell script. */
const ATTEMPTS: readonly (readonly [string, string])[] = [
  ["write to each file", 'find "$F" -type f -o -type l | while read f; do echo evil >>"$f"; done'],
  ["replace each file", 'find "$F" -type f | while read f; do echo evil >"$f.new"; mv -f "$f.new" "$f"; done'],
  ["add settings, hooks, skills and memory", `cd "$F" && ${DECISIVE.map(addition).join("; ")}`],
  ["remove everything", 'find "$F" -mindepth 1 -delete; rm -rf "$F"'],
  ["replace the folder", 'mv "$F" "$F.old"; rm -rf "$F"; mkdir "$F"; echo evil >"$F/settings.json"; ln -sfn /tmp "$F"'],
  ["replace the folder above", 'd=$(dirname "$F"); mv "$d" "$d.old"; mkdir -p "$F"; echo evil >"$F/settings.json"'],
  [
    "put links in place of files and folders",
    'cd "$F" && for n in * .[a-z]*; do rm -rf "$n"; ln -sfn "$U/.bashrc" "$n"; ln -sfn "$U" "$n.d"; done; echo evil >>settings.json',
  ],
  [
    "put links in place of folders that are mounted",
    'cd "$F" && rm -rf large skills projects tmp sessions; for n in large skills projects tmp sessions; do ln -sfn "$U/dotfiles" "$n"; done',
  ],
  [
    "write around the mount",
    'echo evil >>"/proc/self/root$F/settings.json"; echo evil >>"/proc/1/root$F/settings.json"',
  ],
  [
    "unmount",
    'umount "$F"; umount -l "$F"; mount --bind / "$F"; unshare -Urm sh -c "umount $F; echo evil >>$F/CLAUDE.md"',
  ],
  ["hard links", 'ln "$U/.bashrc" "$F/hard"; ln "$U/dotfiles/more.json" "$F/settings.json"; echo evil >>"$F/hard"'],
  [
    "settings in the home itself",
    'cd "$U" && for n in .claude.json .env .bashrc CLAUDE.md .mcp.json; do echo evil >>"$n"; done',
  ],
];

function addition(name: string): string {
  return `mkdir -p "$(dirname new/${name})" "$(dirname ${name})"; echo evil >new/${name}; echo evil >${name}.new; echo evil >${name}`;
}

function loginsOf({ folders }: Machine): readonly string[] {
  return folders.flatMap(({ path, logins = [] }) => logins.map(({ name }) => join(path, name)));
}

describe.skipIf(!hasBubblewrap).each(VENDORS)(`a program in the sandbox of %s${note}`, (plugin) => {
  it("changes nothing of the user's home, whatever it does to its own folders", async () => {
    const machine = makeMachine(plugin, fill);
    const { user, folders } = machine;
    const before = snapshot(user, loginsOf(machine));
    for (const { path } of folders) {
      const attempts = isFull ? ATTEMPTS : [["all of them", ATTEMPTS.map(([, script]) => `(${script})`).join("\n")]];
      for (const [name, script] of attempts) {
        await machine.run("s", `U='${user}'; F='${path}'; { ${script}\n} >/dev/null 2>&1`);
        await machine.compare();
        expect(snapshot(user, loginsOf(machine)), `${name} in ${path}`).toEqual(before);
      }
    }
    await machine.end("s");
    expect(snapshot(user, loginsOf(machine))).toEqual(before);
    for (const path of loginsOf(machine)) expect(lstatSync(path).isFile()).toBe(true);
  });

  it("has the user's settings in each run, copies of its own to work with, and its conversations again", async () => {
    const machine = makeMachine(plugin, fill);
    const [folder] = machine.folders;
    const F = String(folder?.path);
    const [kept = "none"] = (folder?.conversations ?? []).map((name) => name.replace("*", "x"));
    const look = `cd '${F}' && cat settings.json skills/one/SKILL.md linked.json && stat -c %s large/index.js`;
    expect(await machine.run("s", look)).toBe(`the user's settings.json\nthe user's skills/one/SKILL.md\n{}20971520\n`);
    const own = `cd '${F}' && echo own >n && mv n settings.json && echo noted >NOTES.md && mkdir -p ${kept} && echo said >${kept}/talk`;
    expect(await machine.run("s", own)).toBe("");
    writeFileSync(join(F, "config.toml"), "the user's new one\n");
    const again = `cd '${F}' && cat settings.json NOTES.md config.toml ${kept}/talk`;
    expect(await machine.run("s", again)).toBe("the user's settings.json\nnoted\nthe user's new one\nsaid\n");
    expect(await machine.run("other", `cd '${F}' && cat settings.json; ls NOTES.md`)).toContain(
      "the user's settings.json\nls:",
    );
    await machine.end("s");
    const { conversations = [] } = folder ?? {};
    const restored = `cd '${F}' && cat settings.json; cat NOTES.md ${conversations.length > 0 ? `${kept}/talk` : ""}`;
    expect(await machine.run("s", restored)).toMatch(
      conversations.length > 0 ? /^the user's settings.json\nsaid\n/ : /^the user's settings.json\n/,
    );
  });
});
