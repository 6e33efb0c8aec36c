import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createNodeHost } from "../../platform/host.ts";
import { createSilentLog } from "../../platform/log.ts";
import { homePaths } from "../../protocol/home.ts";
import { aProject, aSession, aWorld } from "../../testing/builders.ts";
import { tempDir } from "../../testing/temp.ts";
import type { Kernel } from "../kernel.ts";
import { createProjectConfigs } from "../project-configs.ts";
import { previewConfig, readConfig, replaceConfig } from "./config-file.ts";
import { editConfig } from "./edit-config.ts";

const TEXT = `# Two agents are enough here.
limits: { parallelAgents: 2 }
defaults: { notifiers: [] }
projects:
  demo:
    path: .
    agent: claude-code
    checks: { unit: { run: "npm test" } }
    env: { API_KEY: abc }
    reactions:
      ci-failed: { retries: 2 } # flaky
`;

/** A project whose file is on disk, and what was requested of the engine. */
function aConfig(text = TEXT) {
  const repo = tempDir();
  const file = join(repo, "agent-orchestrator.yaml");
  writeFileSync(file, text);
  const home = join(repo, "home");
  mkdirSync(home);
  const host = createNodeHost({ log: createSilentLog(), env: {} });
  const paths = homePaths({ env: { AO_HOME: home }, userHome: repo, uid: 1, cwd: repo });
  const project = aProject({ path: repo, configFile: file });
  const inputs: { readonly type: string }[] = [];
  const kernel = {
    host,
    configs: createProjectConfigs(host, paths, repo),
    engine: {
      loop: { world: { view: aWorld({ projects: [project], sessions: [aSession(), aSession({ id: "demo-43" })] }) } },
      submit: async ({ input }: { readonly input: { readonly type: string } }) => void inputs.push(input),
    },
  } as unknown as Kernel;
  return { kernel, file, inputs, onDisk: () => readFileSync(file, "utf8") };
}

describe("a project's configuration", () => {
  it("is read with its text, its version and the values in force", async () => {
    const { kernel, file } = aConfig();
    const view = await readConfig(kernel, "demo");
    expect(view).toMatchObject({ file, text: TEXT, problems: [], notes: [] });
    expect(view.settings).toContainEqual({ key: "limits.parallelAgents", value: "2" });
    expect(view.settings).toContainEqual({ key: "projects.demo.reactions.ci-failed.retries", value: "2" });
    expect(view.settings).toContainEqual({ key: "lifecycle.hibernateAfter", value: "10m" });
  });

  it("is read without a project as the machine's file", async () => {
    const { kernel, file } = aConfig();
    expect((await readConfig(kernel, undefined)).file).toBe(file);
  });

  it("hides values that may be secret", async () => {
    const { settings } = await readConfig(aConfig().kernel, "demo");
    expect(settings).toContainEqual({ key: "projects.demo.env.API_KEY", value: "(hidden)" });
  });

  it("is read with the last good values while the file is invalid", async () => {
    const { kernel, file } = aConfig();
    await kernel.configs.inForce(file);
    writeFileSync(file, "limits: { parallelAgent: 3 }\n");
    const view = await readConfig(kernel, "demo");
    expect(view.problems).toMatchObject([{ line: 1, key: "limits.parallelAgent", message: "unknown key" }]);
    expect(view.settings).toContainEqual({ key: "limits.parallelAgents", value: "2" });
  });

  it("does not exist for an unregistered project", async () => {
    await expect(readConfig(aConfig().kernel, "other")).rejects.toMatchObject({ code: "project-unknown" });
  });
});

describe("an edit", () => {
  it("sets one key of the project and keeps every other line", async () => {
    const edit = { project: "demo", text: TEXT, key: "reactions.ci-failed.retries", value: "3" };
    const { kernel, onDisk } = aConfig();
    expect(await editConfig(kernel, edit)).toBe(TEXT.replace("retries: 2", "retries: 3"));
    expect(onDisk()).toBe(TEXT);
  });

  it("sets a key that the file does not have yet, and a machine-wide one", async () => {
    const { kernel } = aConfig();
    const approvals = await editConfig(kernel, { project: "demo", text: TEXT, key: "policies.approvals", value: "0" });
    expect(approvals.startsWith(TEXT.trimEnd())).toBe(true);
    expect(approvals).toMatch(/ {4}policies:\n {6}approvals: 0\n$/);
    const agents = await editConfig(kernel, { text: TEXT, key: "limits.parallelAgents", value: "5" });
    expect(agents).toBe(TEXT.replace("parallelAgents: 2", "parallelAgents: 5"));
  });

  it("is rejected with the reason if the value is invalid", async () => {
    const edit = { project: "demo", text: TEXT, key: "reactions.ci-failed.retries", value: "many" };
    await expect(editConfig(aConfig().kernel, edit)).rejects.toMatchObject({ code: "config-invalid" });
  });
});

describe("a preview", () => {
  it("shows the diff, the changed settings, when they apply, and for how many sessions", async () => {
    const { kernel, onDisk } = aConfig();
    const text = TEXT.replace("retries: 2", "retries: 3").replace("claude-code", "codex");
    const { diff, problems, changes } = await previewConfig(kernel, { project: "demo", text });
    expect(problems).toEqual([]);
    expect(diff).toContain("-      ci-failed: { retries: 2 } # flaky\n+      ci-failed: { retries: 3 } # flaky\n");
    expect(changes).toEqual([
      { key: "projects.demo.reactions.ci-failed.retries", before: "2", after: "3", applies: "now", sessions: 2 },
      { key: "projects.demo.agent", before: "claude-code", after: "codex", applies: "new-sessions", sessions: 0 },
    ]);
    expect(onDisk()).toBe(TEXT);
  });

  it("lists problems with their line and a suggestion, as ao start does", async () => {
    const text = TEXT.replace("parallelAgents", "paralelAgents").replace("retries: 2", "retries: many");
    const { problems, changes } = await previewConfig(aConfig().kernel, { project: "demo", text });
    expect(problems).toMatchObject([
      { line: 2, key: "limits.paralelAgents", message: "unknown key", hint: 'did you mean "parallelAgents"?' },
      { line: 11, key: "projects.demo.reactions.ci-failed.retries" },
    ]);
    expect(changes).toEqual([]);
  });

  it("of the same text is empty", async () => {
    const preview = await previewConfig(aConfig().kernel, { text: TEXT });
    expect(preview).toMatchObject({ diff: "", changes: [], problems: [] });
  });
});

describe("a write", () => {
  const MORE = TEXT.replace("parallelAgents: 2", "parallelAgents: 7");

  it("replaces the file with exactly the text, and applies it", async () => {
    const { kernel, inputs, onDisk } = aConfig();
    const { version } = await readConfig(kernel, "demo");
    const after = await replaceConfig(kernel, { project: "demo", text: MORE }, version);
    expect(onDisk()).toBe(MORE);
    expect(after).toMatchObject({ text: MORE, problems: [] });
    expect(inputs).toContainEqual({ type: "fleet.limit", limit: 7, ciRuns: null });
  });

  it("is rejected if the file changed meanwhile, or if the text is invalid", async () => {
    const { kernel, file, onDisk } = aConfig();
    const { version } = await readConfig(kernel, "demo");
    const bad = replaceConfig(kernel, { project: "demo", text: "port: yes\n" }, version);
    await expect(bad).rejects.toMatchObject({ code: "config-invalid" });
    writeFileSync(file, `${TEXT}# mine\n`);
    const late = replaceConfig(kernel, { project: "demo", text: MORE }, version);
    await expect(late).rejects.toMatchObject({ code: "changed-meanwhile" });
    expect(onDisk()).toBe(`${TEXT}# mine\n`);
  });

  it("succeeds only once of two that saw the same version", async () => {
    const { kernel } = aConfig();
    const { version } = await readConfig(kernel, "demo");
    const texts = [MORE, TEXT.replace("parallelAgents: 2", "parallelAgents: 8")];
    const ends = await Promise.allSettled(texts.map((text) => replaceConfig(kernel, { text }, version)));
    expect(ends.map(({ status }) => status)).toEqual(["fulfilled", "rejected"]);
  });

  it("that is resent after its answer was lost succeeds", async () => {
    const { kernel } = aConfig();
    const { version } = await readConfig(kernel, "demo");
    await replaceConfig(kernel, { text: MORE }, version);
    expect((await replaceConfig(kernel, { text: MORE }, version)).text).toBe(MORE);
  });

  it("keeps the file's mode, and a link to it", async () => {
    const { kernel, file, inputs } = aConfig();
    renameSync(file, `${file}.real`);
    symlinkSync(`${file}.real`, file);
    chmodSync(`${file}.real`, 0o600);
    const { version } = await readConfig(kernel, "demo");
    await kernel.configs.inForce(file);
    await replaceConfig(kernel, { text: MORE }, version);
    expect(inputs).toContainEqual({ type: "fleet.limit", limit: 7, ciRuns: null });
    expect(lstatSync(file).isSymbolicLink()).toBe(true);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readFileSync(`${file}.real`, "utf8")).toBe(MORE);
  });
});
