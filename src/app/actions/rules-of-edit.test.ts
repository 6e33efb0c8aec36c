import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { changesRules } from "../../core/replay/rule-changes.ts";
import { createNodeHost } from "../../platform/host.ts";
import { createSilentLog } from "../../platform/log.ts";
import { homePaths } from "../../protocol/home.ts";
import { aProject, aWorld } from "../../testing/builders.ts";
import { aPolicy } from "../../testing/change-builders.ts";
import { tempDir } from "../../testing/temp.ts";
import type { Kernel } from "../kernel.ts";
import { createProjectConfigs } from "../project-configs.ts";
import { rulesOfEdit } from "./rules-of-edit.ts";

const textOf = (id: string): string =>
  `limits: { costPerDay: 10 }\nprojects:\n  ${id}:\n    path: .\n    checks: { unit: { run: "npm test" } }\n    policies: { approvals: 1 }\n`;

/** Two projects with a file each; that of `web` is in force for the machine. What was adopted of them is older than the files. */
function twoProjects(): Kernel {
  const root = tempDir();
  const host = createNodeHost({ log: createSilentLog(), env: {} });
  const projects = ["web", "api"].map((id, at) => {
    const path = join(root, id);
    mkdirSync(path);
    const configFile = join(path, "agent-orchestrator.yaml");
    writeFileSync(configFile, textOf(id));
    return aProject({ id, path, configFile, at, policy: aPolicy() });
  });
  const paths = homePaths({ env: { AO_HOME: join(root, "home") }, userHome: root, uid: 1, cwd: root });
  const engine = { loop: { world: { view: aWorld({ projects }) } } };
  return { host, configs: createProjectConfigs(host, paths, root), engine } as unknown as Kernel;
}

/** The projects whose rules an edit would change. */
async function changedBy(project: string, edit: (text: string) => string): Promise<readonly string[]> {
  const rules = await rulesOfEdit(twoProjects(), { project, text: edit(textOf(project)) });
  return [...rules].filter(([, { before, after }]) => changesRules(before, after)).map(([id]) => id);
}

it.each([
  ["web", "approvals: 1", "approvals: 2", ["web"]],
  ["api", "approvals: 1", "approvals: 2", ["api"]],
  // Machine-wide keys count for all projects.
  ["web", "costPerDay: 10", "costPerDay: 30", ["web", "api"]],
  ["web", "path: .", "path: .\n    name: Web", []],
  ["web", "limits: {", "lifecycle: { hibernateAfter: 20m }\nlimits: {", []],
])("an edit of the file of %s from %j to %j changes the rules of %j", async (project, from, to, changed) => {
  expect(await changedBy(project, (text) => text.replace(from, to))).toEqual(changed);
});

it("an invalid text is rejected", async () => {
  const edit = { project: "web", text: textOf("web").replace("approvals", "aprovals") };
  await expect(rulesOfEdit(twoProjects(), edit)).rejects.toMatchObject({ code: "config-invalid" });
});
