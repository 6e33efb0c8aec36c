import { spawnSync } from "node:child_process";
import { cpSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { diskFolder, tempDir } from "../../src/testing/temp.ts";
import { makeMachine, snapshot } from "../attack/agent-home.ts";
import { hasBubblewrap, note } from "../e2e/sandbox/stage.ts";
import { REAL_AGENTS } from "./support/acp-programs.ts";
import { makePlace, startBridge } from "./support/bridge.ts";
import { startModelServer } from "./support/model-server.ts";
import { isWhole } from "./support/programs.ts";
import { SESSION_AGENTS, type SessionAgent } from "./support/session-agents.ts";

const hasStrace = spawnSync("strace", ["-V"]).status === 0;
const reason = hasStrace ? note : " (skipped: strace is not installed)";
/** The quickest; the others take up to ten seconds each. */
const QUICK = ["claude-code", "codex", "gemini", "kimicode"];
const agents = SESSION_AGENTS.filter(({ plugin }) => isWhole || QUICK.includes(plugin));
const DRIVERS: Readonly<Record<string, string>> = { "claude-code": "claude", codex: "codex", opencode: "opencode" };

/** Calls that change something, and what they do elsewhere without harm: a program works without it. */
const CHANGES = /O_WRONLY|O_RDWR|O_CREAT|^\d+ +(mkdir|rename|unlink|symlink|link|creat|truncate)/;
const DISPENSABLE = [
  /^\.claude\.json/,
  /^\.npm(\/|$)/,
  /^\.cache\/Microsoft/,
  /^\.agents/,
  /^\.claude$/,
  /^\.config\/agents$/,
];

interface Observed {
  readonly home: string;
  /** Below the home: what the program looked for, and what it wrote. */
  readonly looked: readonly string[];
  readonly written: readonly string[];
}

/** Runs the real program outside of any sandbox, in a fresh home, from task to answer. */
async function observe(agent: SessionAgent): Promise<Observed> {
  const place = makePlace();
  const model = await startModelServer();
  onTestFinished(() => model.close());
  const log = join(tempDir("ao-strace-", diskFolder()), "log");
  const strace = ["strace", "-f", "-qq", "-s", "4096", "-e", "trace=%file", "-o", log];
  const real = REAL_AGENTS.find(({ plugin }) => plugin === agent.plugin);
  const command = [...strace, ...(real?.command ?? agent.command ?? [])];
  const settings = { ...real?.settings, ...agent.free, command };
  const env = agent.environment(place, model);
  const bridge = startBridge(place, DRIVERS[agent.plugin] ?? "acp", settings, env);
  bridge.send({ id: "m1", kind: "task", text: "Do it. [[run: touch a.txt]] [[say: over]]" });
  await bridge.hear({ type: "done" });
  await bridge.end();
  const [looked, written] = [new Set<string>(), new Set<string>()];
  for (const line of readFileSync(log, "utf8").split("\n")) {
    const names = [...line.matchAll(/"([^"]*)"/g)].map(([, path = ""]) => path);
    for (const path of names.filter((one) => one.startsWith(`${place.home}/`))) {
      const name = path.slice(place.home.length + 1).replace(/\/+$/, "");
      looked.add(name);
      if (CHANGES.test(line) && !line.includes(" = -1 ")) written.add(name);
    }
  }
  return { home: place.home, looked: [...looked].sort(), written: [...written].sort() };
}

for (const agent of agents) {
  describe.skipIf(agent.command === null || !hasStrace || !hasBubblewrap)(
    `${agent.title} in its own folders${reason}`,
    () => {
      it("opens no file of the home that a sandboxed session could change, and writes to none that it does not have", async () => {
        const { home, looked, written } = await observe(agent);
        expect(looked.length).toBeGreaterThan(10);
        const machine = makeMachine(agent.plugin, (user) =>
          cpSync(home, user, { recursive: true, verbatimSymlinks: true }),
        );
        const { user, folders } = machine;
        const own = folders.map(({ path }) => path.slice(user.length + 1));
        const isOwn = (name: string): boolean =>
          own.some((one) => `${name}/`.startsWith(`${one}/`) || one.startsWith(`${name}/`));
        const elsewhere = written.filter((name) => !isOwn(name) && !DISPENSABLE.some((one) => one.test(name)));
        expect(elsewhere).toEqual([]);
        const logins = folders.flatMap(({ path, logins: files = [] }) => files.map(({ name }) => join(path, name)));
        const before = snapshot(user, logins);
        const script = join(user, "../worktrees/s/names");
        await machine.run("s", `cat >names <<'END'\n${looked.join("\n")}\nEND`);
        await machine.run("s", `cd '${user}'; while read -r n; do ${OVERWRITE}; done <${script} >/dev/null 2>&1`);
        await machine.compare();
        await machine.end("s");
        expect(snapshot(user, logins)).toEqual(before);
      });
    },
  );
}

/** By every way: in place, by a rename, as a new file in a new folder. */
const OVERWRITE =
  'mkdir -p "$(dirname "$n")"; echo evil >>"$n"; echo evil >"$n.new" && mv -f "$n.new" "$n"; mkdir "$n"; echo evil >"$n/new"';
