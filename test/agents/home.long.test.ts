import { execFile } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { git } from "../../src/testing/git-repo.ts";
import { tempDir } from "../../src/testing/temp.ts";
import { reach } from "../e2e/survival/session.ts";
import { until } from "../support/until.ts";
import { makePlace } from "./support/bridge.ts";
import { filesBelow } from "./support/home-files.ts";
import type { ModelServer } from "./support/model-server.ts";
import { addOwnSetup, OWN_KEY, OWN_SETUPS, type OwnSetup } from "./support/own-setup.ts";
import { isWhole } from "./support/programs.ts";
import { commit, LIMIT, stage } from "./support/session.ts";
import { MAIN_AGENTS, type SessionAgent } from "./support/session-agents.ts";

const RULE = "Always answer in Esperanto.";
const PROMPT = `[[run: ${commit("one")}]] [[say: over]]`;
const agents = isWhole ? MAIN_AGENTS : MAIN_AGENTS.filter(({ plugin }) => plugin !== "opencode");

/** Runs an agent without `ao`, in its own home. */
async function runAlone(agent: SessionAgent, setup: OwnSetup, model: ModelServer, mark: string): Promise<string> {
  const { home, workspace } = makePlace();
  const own = agent.environment({ home }, model);
  addOwnSetup(setup, home, { rule: RULE, mark });
  const [program = "", ...args] = agent.command ?? [];
  const basics = { PATH: process.env["PATH"], HOME: home, TMPDIR: join(home, "../tmp"), LANG: "C.UTF-8" };
  const run = promisify(execFile)(program, [...args, ...setup.alone(PROMPT)], {
    cwd: workspace,
    env: { ...basics, GIT_CONFIG_GLOBAL: "/dev/null", ...own, ...setup.variables },
  });
  run.child.stdin?.end();
  await run;
  // Its own sandbox may block the commit, which needs the repository next to the worktree.
  expect(existsSync(join(workspace, "one.txt"))).toBe(true);
  return home;
}

function keysOf(home: string, { config }: OwnSetup): readonly string[] {
  return Object.keys(JSON.parse(readFileSync(join(home, config), "utf8"))).sort();
}

for (const agent of agents) {
  const setup = OWN_SETUPS[agent.plugin] as OwnSetup;
  describe.skipIf(agent.command === null)(`the user's own set-up of ${agent.title}`, () => {
    it("reaches the session's agent, and stays as if the agent had run alone", async () => {
      const mark = join(tempDir(), "mark");
      const prepare = (folder: string): void => addOwnSetup(setup, folder, { rule: RULE, mark });
      const { fleet, home, model, begin, commits, programs, bridges } = await stage(agent, { prepare });
      const shared = git(fleet.repo, "config", "--local", "--list");
      const config = readFileSync(join(home, setup.config), "utf8");
      const id = await begin("home", PROMPT);
      const done = await reach(fleet, id, "done", ({ summary }) => summary === "over", LIMIT);
      expect(commits(done.branch)).toEqual(["one"]);
      expect(model.isInLast(RULE)).toBe(true);
      expect(model.isInLast("mark_it")).toBe(true);
      expect(existsSync(mark)).toBe(true);
      if (setup.login) expect(model.calls.at(-1)?.key).toBe(OWN_KEY);
      expect(git(String(done.workspacePath), "status", "--porcelain", "--ignored")).toBe("");
      await fleet.write("DELETE", `/api/sessions/${id}`);
      await until("the agent to end", () => programs().length + bridges().length === 0, LIMIT);
      const alone = await runAlone(agent, setup, model, mark);
      expect(filesBelow(home)).toEqual(filesBelow(alone));
      if (setup.keepsBook) expect(keysOf(home, setup)).toEqual(keysOf(alone, setup));
      else expect(readFileSync(join(home, setup.config), "utf8")).toBe(config);
      expect(readFileSync(join(home, setup.rules), "utf8")).toBe(`${RULE}\n`);
      if (setup.login) expect(readFileSync(join(home, setup.login.file), "utf8")).toBe(setup.login.text);
      expect(git(fleet.repo, "config", "--local", "--list")).toBe(shared);
    });
  });
}
