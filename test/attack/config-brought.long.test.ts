import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { ConfigView } from "../../src/protocol/views/config.ts";
import type { InboxView } from "../../src/protocol/views/inbox.ts";
import type { SessionDetailView } from "../../src/protocol/views/session.ts";
import { git } from "../../src/testing/git-repo.ts";
import { type Fleet, makeFleet } from "../support/fleet.ts";
import { until } from "../support/until.ts";

const NAME = "agent-orchestrator.yaml";

async function inbox(fleet: Fleet): Promise<readonly InboxView[]> {
  return (await fleet.api<{ data: readonly InboxView[] }>("GET", "/api/inbox")).body.data;
}

async function config(fleet: Fleet): Promise<ConfigView> {
  return (await fleet.api<ConfigView>("GET", "/api/config?project=demo")).body;
}

async function accept(fleet: Fleet): Promise<void> {
  const { held } = await config(fleet);
  const answer = await fleet.api("POST", "/api/config/accept", { project: "demo", version: held?.version });
  expect(answer.status).toBe(200);
}

/** A project whose configuration is committed and accepted. */
async function aTeam(): Promise<{ fleet: Fleet; file: string; pwned: string }> {
  const fleet = await makeFleet();
  const file = join(fleet.repo, NAME);
  git(fleet.repo, "add", "-f", NAME);
  git(fleet.repo, "commit", "-qm", "share the configuration");
  await fleet.start();
  await fleet.api("POST", "/api/projects", { path: fleet.repo });
  await accept(fleet);
  return { fleet, file, pwned: join(fleet.dir, "pwned") };
}

/** A branch with one more line, which starts a program of the agent's choice. */
function commitEvil(fleet: Fleet, pwned: string): void {
  const worktree = join(fleet.dir, "evil");
  git(fleet.repo, "worktree", "add", "-q", "-b", "evil", worktree);
  const file = join(worktree, NAME);
  writeFileSync(file, readFileSync(file, "utf8").replace("    path: .\n", touch(pwned)));
  git(worktree, "commit", "-qam", "tidy up");
  git(fleet.repo, "worktree", "remove", worktree);
}

function touch(pwned: string): string {
  return `    path: .\n    postCreate: ["touch ${pwned}"]\n`;
}

async function startSession(fleet: Fleet, title: string): Promise<void> {
  const { body } = await fleet.api<SessionDetailView>("POST", "/api/sessions", { title, wait: true });
  await until("the workspace", async () => (await fleet.session(body.id)).workspacePath !== null);
}

describe("a configuration that a commit brought", () => {
  const ways: readonly (readonly [string, (repo: string) => void])[] = [
    ["a merge", (repo) => git(repo, "merge", "-q", "--no-ff", "evil")],
    ["a fast-forward", (repo) => git(repo, "merge", "-q", "--ff-only", "evil")],
    ["a pull", (repo) => git(repo, "pull", "-q", "--ff-only", ".", "evil")],
    ["a checkout", (repo) => git(repo, "checkout", "-q", "evil")],
    ["a reset", (repo) => git(repo, "reset", "-q", "--hard", "evil")],
    ["a checkout of the file alone", (repo) => git(repo, "checkout", "-q", "evil", "--", NAME)],
  ];

  it.each(ways)("by %s does nothing until a person accepts it, also after a restart", async (_, bring) => {
    const { fleet, pwned } = await aTeam();
    commitEvil(fleet, pwned);
    bring(fleet.repo);

    const item = await until("the question", async () =>
      (await inbox(fleet)).find(({ kind }) => kind === "config-held"),
    );
    expect(item.text).toContain("ao config accept -p demo");
    await startSession(fleet, "one");
    await fleet.kill();
    await fleet.start();
    await startSession(fleet, "two");
    expect(existsSync(pwned)).toBe(false);

    const { held } = await config(fleet);
    expect(held?.diff).toContain(`+    postCreate: ["touch ${pwned}"]`);
    expect(held?.runs).toContain("projects.demo.postCreate");
    await accept(fleet);
    await startSession(fleet, "three");
    await until("the accepted command", () => existsSync(pwned));
    expect(await inbox(fleet)).toEqual([]);
  });

  it("by a clone is not in force after it was registered alone", async () => {
    const { fleet, pwned } = await aTeam();
    commitEvil(fleet, pwned);
    const clone = join(fleet.dir, "clone");
    git(fleet.dir, "clone", "-q", "-b", "evil", fleet.repo, clone);
    await fleet.api("DELETE", "/api/projects/demo");
    const { body } = await fleet.api<{ notes: readonly string[] }>("POST", "/api/projects", { path: clone });
    expect(body.notes.join("\n")).toContain("ao does not use it until you accept it");
    expect((await fleet.api("POST", "/api/sessions", { title: "one", projectId: "demo" })).status).toBe(409);
    expect((await config(fleet)).held?.runs).toContain("projects.demo.postCreate");
  });

  it("cannot be accepted in a version that nobody was shown", async () => {
    const { fleet, pwned } = await aTeam();
    commitEvil(fleet, pwned);
    git(fleet.repo, "merge", "-q", "evil");
    await until("the question", async () => (await config(fleet)).held !== null);
    const stale = await fleet.api<{ code: string }>("POST", "/api/config/accept", {
      project: "demo",
      version: "other",
    });
    expect(stale.status).toBe(412);
  });
});

it("an edit of a person's takes effect at once, and stays in force when it is committed", async () => {
  const { fleet, file, pwned } = await aTeam();
  writeFileSync(file, readFileSync(file, "utf8").replace("    path: .\n", touch(pwned)));
  await startSession(fleet, "one");
  expect(existsSync(pwned)).toBe(true);
  rmSync(pwned);
  git(fleet.repo, "commit", "-qam", "my own");
  await startSession(fleet, "two");
  expect(existsSync(pwned)).toBe(true);
  expect(await inbox(fleet)).toEqual([]);
});
