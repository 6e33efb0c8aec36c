import { mkdirSync, realpathSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { interpretConfig } from "../config/load.ts";
import { findHeld } from "../core/held/find-held.ts";
import { describeHeld } from "../core/held/held.ts";
import { createNodeHost } from "../platform/host.ts";
import { createSilentLog } from "../platform/log.ts";
import { tempDir } from "../testing/temp.ts";
import { toPolicy } from "./adopt-policy.ts";

const FILE = `hooks:
  before-merge: [{ module: ./tools/judge.mjs }, sh tools/gate.sh]
plugins: [{ path: ./tools/plugin.mjs }]
projects:
  web:
    path: .
    agent: { plugin: command, command: [node, tools/agent.mjs] }
    agentRulesFile: docs/rules.md
    postCreate: [./set-up.sh]
    preRemove: [make -C infra down]
    checks: { unit: { run: "node $PWD/tools/unit.mjs", setup: ci/prepare.sh } }
    reactions: { pr-opened: { action: run, run: tools/opened.sh } }
`;

async function policyOf(text: string, path = realpathSync(tempDir())) {
  const host = createNodeHost({ log: createSilentLog() });
  const { config } = interpretConfig(text, join(path, "agent-orchestrator.yaml"), { env: {}, home: path });
  return toPolicy(host, { path }, config.projects["web"], config.machine);
}

async function heldIn(changed: readonly string[], text = FILE, path?: string): Promise<readonly string[]> {
  const { held } = await policyOf(text, path);
  return findHeld(held ?? expect.unreachable("there is no rule"), { changed, manifests: [] }).paths.map(describeHeld);
}

it("holds every file that the configuration names", async () => {
  const named = [
    "tools/judge.mjs (`hooks.before-merge` names it)",
    "tools/plugin.mjs (`plugins` names it)",
    "docs/rules.md (`agentRulesFile` names it)",
    "tools/unit.mjs (check `unit` runs it)",
    "ci/prepare.sh (check `unit` runs it)",
    "set-up.sh (`postCreate` names it)",
    "tools/opened.sh (`reactions.pr-opened.run` names it)",
    "tools/gate.sh (`hooks.before-merge` names it)",
    "tools/agent.mjs (`agentConfig.command` names it)",
  ];
  expect(await heldIn([...named.map((line) => line.split(" ")[0] ?? ""), "src/a.ts"])).toEqual(named);
});

it("holds what a file of rules is a link to", async () => {
  const path = realpathSync(tempDir());
  mkdirSync(join(path, "docs"));
  mkdirSync(join(path, "tools"));
  writeFileSync(join(path, "docs/agents.md"), "");
  symlinkSync("docs/agents.md", join(path, "CLAUDE.md"));
  symlinkSync("tools", join(path, ".claude"));
  symlinkSync("/etc/hosts", join(path, "GEMINI.md"));
  expect(await heldIn(["docs/agents.md", "docs/b.md", "tools/a/b.json"], FILE, path)).toEqual([
    "docs/agents.md (rules for agents)",
    "tools/a/b.json (rules for agents)",
  ]);
});

it("is the same rule after a restart, and another one when a command changes", async () => {
  const path = realpathSync(tempDir());
  const keyOf = async (text: string) => (await policyOf(text, path)).held?.key;
  expect(await keyOf(FILE)).toBe(await keyOf(FILE));
  expect(await keyOf(FILE)).not.toBe(await keyOf(FILE.replace("set-up.sh", "other.sh")));
});
