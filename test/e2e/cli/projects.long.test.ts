import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { stringify } from "yaml";
import type { SessionDetailView } from "../../../src/protocol/views/session.ts";
import { git, makeRepo } from "../../../src/testing/git-repo.ts";
import { diaryAgent } from "../../support/fleet.ts";
import { expectRefusal } from "./picture.ts";
import { makePlace, openShell, type Shell } from "./shell.ts";

interface Place {
  readonly dir: string;
  /** A shell in a folder below the place. */
  at(name: string): Shell;
}

/** A machine with two registered projects, `shop` and `blog`, and a repository `other` that no project has. */
async function twoProjects(): Promise<Place> {
  const { dir, env } = makePlace();
  const diary = join(dir, "diary");
  mkdirSync(diary);
  const projects = Object.fromEntries(
    ["shop", "blog"].map((id) => {
      makeRepo(join(dir, id));
      const agent = { agent: "command", agentConfig: { command: [diaryAgent] } };
      return [id, { path: join(dir, id), ...agent, env: { AO_DIARY: diary } }];
    }),
  );
  makeRepo(join(dir, "other"));
  mkdirSync(join(dir, "nowhere"));
  writeFileSync(join(dir, "ao.yaml"), stringify({ limits: { parallelAgents: 9 }, projects }));
  const at = (name: string): Shell => openShell(join(dir, name), env);
  await at("nowhere").ok("start", "--config", join(dir, "ao.yaml"), "--no-open", "--detach");
  return { dir, at };
}

describe("the project a command is for", () => {
  it("is that of the current folder, never another", async () => {
    const { dir, at } = await twoProjects();
    expectRefusal(
      "new",
      await at("other").ao("new", "Fix it"),
      /other is not registered with ao[\s\S]*ao start .*other/,
    );
    expectRefusal("issue", await at("other").ao("issue", "list"), /other is not registered/);
    expectRefusal("new", await at("nowhere").ao("new", "Fix it"), /belongs to no project[\s\S]*--project: shop, blog/);
    git(join(dir, "shop"), "worktree", "add", "-q", join(dir, "linked"));
    const started = await at("linked").json<SessionDetailView>("new", "Fix it");
    expect(started.projectId).toBe("shop");
    await at("blog").ok("remove-project", "blog");
    expect((await at("nowhere").aoWith({}, "new", "Fix more")).err).toContain("project shop (");
    expectRefusal("new", await at("other").ao("new", "Fix it"), /other is not registered/);
  });

  it("has its own issue and pull request numbers", async () => {
    const { at } = await twoProjects();
    await at("blog").ok("new", "Write it", "--issue", "900");
    expectRefusal(
      "send",
      await at("shop").ao("send", "900", "hello"),
      /No session of shop works on issue 900[\s\S]*blog\/900/,
    );
    expectRefusal("stop", await at("shop").ao("stop", "900"), /No session of shop works on issue 900/);
    await at("shop").ok("new", "Sell it", "--issue", "900");
    expectRefusal("send", await at("nowhere").ao("send", "900", "hello"), /blog\/900, shop\/900/);
    expect(await at("shop").ok("send", "blog/900", "hello")).toContain("delivered");
    expect(JSON.parse(await at("shop").ok("status", "900", "--json")).projectId).toBe("shop");
    expectRefusal("approve", await at("other").ao("approve", "900"), /no pull request #900/);
  });

  it("does not start an issue that depends on an open one, unless forced with --now", async () => {
    const { at } = await twoProjects();
    const shop = at("shop");
    await shop.ok("issue", "new", "Model");
    await shop.ok("issue", "new", "View", "--depends-on", "1");
    expectRefusal(
      "spawn",
      await shop.ao("spawn", "2"),
      /Issue 2 depends on #1 \(Model\), which is open[\s\S]*ao spawn 2 --now/,
    );
    await shop.ok("issue", "close", "1");
    await shop.ok("spawn", "2");
  });
});

describe("the configuration of a project", () => {
  it("is the file that lists it, wherever ao start runs", async () => {
    const { dir, env } = makePlace();
    const write = (file: string, content: object): void => writeFileSync(join(dir, file), stringify(content));
    makeRepo(join(dir, "team/web"));
    makeRepo(join(dir, "api"));
    makeRepo(join(dir, "docs"));
    write("team/agent-orchestrator.yaml", { projects: { fe: { path: "web", sessionPrefix: "f" } } });
    const hook2 = { plugin: "webhook", url: "https://example.com/hook" };
    write("named.yaml", {
      limits: { parallelAgents: 9 },
      notifiers: { hook2 },
      projects: { be: { path: "api" }, gone: { path: "gone" } },
    });
    const at = (name: string): Shell => openShell(join(dir, name), env);
    const start = ["start", "--no-open"];
    expect(await at("team/web").ok(...start)).toContain("project fe:");
    const named = await at("docs").aoWith({ env: { AO_CONFIG: join(dir, "named.yaml") } }, ...start);
    expect(named.out).toContain("project be:");
    expect(named.err).toMatch(/projects\.gone\.path: .*\/gone does not exist; skipped/);
    expect(named.err).toContain("docs is not a project of");
    expect(named.err).toMatch(
      /limits\.parallelAgents: ignored; machine-wide keys come from .*team\/agent-orchestrator/,
    );
    expect(await at("api").ok(...start), "it remembers its file").toContain("project be:");
    for (const repo of ["team/web", "api", "docs"])
      expect(existsSync(join(dir, repo, "agent-orchestrator.yaml"))).toBe(false);
    const get = await at("api").ao("config", "get", "limits.parallelAgents", "--config", join(dir, "named.yaml"));
    expect(get).toMatchObject({ out: "5\n", err: expect.stringMatching(/named\.yaml says 9/) });
    expectRefusal(
      "notify",
      await at("api").ao("notify", "test", "hook2"),
      /hook2 is in .*named\.yaml, but machine-wide keys/,
    );
    const checked = await at("api").ao("config", "validate", join(dir, "named.yaml"));
    expect(checked.err).toContain("limits.parallelAgents: ignored");
  });

  it("names the missing folder", async () => {
    const { dir, env } = makePlace();
    writeFileSync(join(dir, "agent-orchestrator.yaml"), stringify({ projects: { app: { path: "not-there" } } }));
    expectRefusal("start", await openShell(dir, env).ao("start"), /projects\.app\.path: .*not-there does not exist/);
  });
});
