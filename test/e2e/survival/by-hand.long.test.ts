import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { SessionDetailView } from "../../../src/protocol/views/session.ts";
import { git, makeRepo, writeFiles } from "../../../src/testing/git-repo.ts";
import { type Fleet, shareFleet } from "../../support/fleet.ts";
import { until } from "../../support/until.ts";
import { ao, runAo } from "./ao.ts";
import { begin, inboxOf, reach, tell } from "./session.ts";

const WORK = "task\n!write kept.txt committed by the agent\n!commit work";

// Without a pull request, which would also wait for a person.
const shared = shareFleet({ project: { openPullRequest: "agent" } });

interface Scene {
  readonly fleet: Fleet;
  readonly id: string;
  readonly branch: string;
  readonly folder: string;
  /** The commit that the agent made. */
  readonly commit: string;
}

/** A running session whose agent has made a commit and left an uncommitted file. */
async function stage(): Promise<Scene> {
  const fleet = shared();
  const { id, branch, workspacePath } = await begin(fleet, "one", `${WORK}\n!write dirty.txt not committed`);
  const folder = workspacePath ?? "";
  return { fleet, id, branch, folder, commit: git(folder, "rev-parse", "HEAD").trim() };
}

const worktreesOf = (fleet: Fleet): readonly string[] => git(fleet.repo, "worktree", "list").trim().split("\n");

const kindsInInbox = async (fleet: Fleet, id: string): Promise<string> =>
  (await inboxOf(fleet, id)).map(({ kind }) => kind).join();

const deleteBranch = ({ fleet, branch }: Scene): string => git(fleet.repo, "update-ref", "-d", `refs/heads/${branch}`);
const deleteFolder = ({ folder }: Scene): void => rmSync(folder, { recursive: true });

describe("what a person removes by hand under a running session", () => {
  it.each<[string, (scene: Scene) => unknown, { evidence: RegExp; isFolderKept: boolean; notes: RegExp }]>([
    [
      "the folder",
      deleteFolder,
      { evidence: /\.worktrees\/[\w-]+ does not exist/, isFolderKept: false, notes: /was rebuilt/ },
    ],
    [
      "the folder, by `git worktree remove --force`",
      ({ fleet, folder }) => git(fleet.repo, "worktree", "remove", "--force", folder),
      { evidence: /\.worktrees\/[\w-]+ does not exist/, isFolderKept: false, notes: /was rebuilt/ },
    ],
    [
      "the branch",
      deleteBranch,
      { evidence: /refs\/heads\/agent\/[\w-]+ does not exist/, isFolderKept: true, notes: /agent\/[\w-]+ was gone/ },
    ],
    [
      "the folder and the branch",
      (scene) => {
        deleteFolder(scene);
        deleteBranch(scene);
      },
      { evidence: /\.worktrees\/[\w-]+ does not exist/, isFolderKept: false, notes: /agent\/[\w-]+ was gone/ },
    ],
  ])("is noticed, and `ao restore` rebuilds it: %s", async (_, remove, expected) => {
    const scene = await stage();
    const { fleet, id, branch, folder, commit } = scene;
    remove(scene);
    const seen = JSON.parse(await ao(fleet, "status", id, "--json")) as SessionDetailView;
    expect(seen).toMatchObject({ status: "workspace-missing", evidence: expect.stringMatching(expected.evidence) });
    expect(await ao(fleet, "status", id)).toContain("workspace-missing");
    expect(await inboxOf(fleet, id)).toMatchObject([
      {
        kind: "workspace",
        actions: expect.arrayContaining([expect.objectContaining({ action: "restore", sessionId: id })]),
      },
    ]);
    expect(await ao(fleet, "inbox")).toContain(id);

    const restored = await ao(fleet, "restore", id);
    expect(restored).toMatch(expected.notes);
    expect(restored).toContain("note ");
    await tell(fleet, id, "go on\n!write after.txt written after the restore");
    const now = await reach(fleet, id, "idle", (session) => session.agentStatus === "idle");
    expect(now.workspacePath).toBe(folder);
    expect(readFileSync(join(folder, "after.txt"), "utf8")).toBe("written after the restore");
    expect(readFileSync(join(folder, "kept.txt"), "utf8")).toBe("committed by the agent");
    expect(existsSync(join(folder, "dirty.txt"))).toBe(expected.isFolderKept);
    expect(git(fleet.repo, "rev-parse", branch).trim()).toBe(commit);
    expect(git(folder, "symbolic-ref", "HEAD").trim()).toBe(`refs/heads/${branch}`);
    expect(git(folder, "status", "--porcelain", "kept.txt")).toBe("");
    // The branch is read after the turn.
    await until("the uncommitted work in the inbox", async () => (await kindsInInbox(fleet, id)) === "uncommitted");
    // If the folder stayed, the agent keeps running; otherwise it was restarted in the new one, without a failed turn.
    const starts = fleet.diary(id).filter((entry) => entry.event === "start");
    expect(starts.map((entry) => entry.resume)).toEqual(expected.isFolderKept ? [false] : [false, true]);
    await ao(fleet, "stop", id);
    expect(worktreesOf(fleet).filter((line) => line.startsWith(`${folder} `))).toEqual([]);
  });

  it("loses no message: later ones wait until the folder is back", async () => {
    const scene = await stage();
    const { fleet, id } = scene;
    deleteFolder(scene);
    await reach(fleet, id, "missing", (session) => session.status === "workspace-missing");
    expect((await runAo(fleet, "send", id, "wait for it")).stdout).toMatch(/^queued/);
    await ao(fleet, "restore", id);
    await reach(fleet, id, "told", ({ messages }) => messages.at(-1)?.delivery === "delivered");
    expect(fleet.diary(id).filter((entry) => entry.text === "wait for it")).toHaveLength(1);
  });

  it("can be stopped as it is, and restored later", async () => {
    const scene = await stage();
    const { fleet, id, folder } = scene;
    deleteFolder(scene);
    await ao(fleet, "stop", id);
    await ao(fleet, "restore", id);
    await tell(fleet, id, "go on");
    expect(readFileSync(join(folder, "kept.txt"), "utf8")).toBe("committed by the agent");
  });
});

describe("a repository inside the worktree", () => {
  it("makes `ao stop` keep the folder and say why; `ao restore` continues in it", async () => {
    const { fleet, id, folder } = await stage();
    const nested = makeRepo(join(folder, "vendor/lib"), { "lib.txt": "its own history\n" });
    writeFiles(nested, { "lib.txt": "changed\n" });
    const before = git(nested, "status", "--porcelain");
    expect(await ao(fleet, "stop", id)).toMatch(/worktree kept.*vendor\/lib\/ is a separate repository/);
    expect(await fleet.session(id)).toMatchObject({ status: "stopped", workspace: { state: "kept" } });
    expect(await ao(fleet, "cleanup")).toMatch(new RegExp(`kept ${id} .*separate repository`));
    expect(git(nested, "status", "--porcelain")).toBe(before);

    expect(await ao(fleet, "restore", id)).toContain("was still there and is used as it is");
    await tell(fleet, id, "go on\n!write after.txt yes");
    await reach(fleet, id, "idle", (session) => session.agentStatus === "idle");
    expect(readFileSync(join(folder, "after.txt"), "utf8")).toBe("yes");
    expect(readFileSync(join(folder, "dirty.txt"), "utf8")).toBe("not committed");
    expect(git(nested, "status", "--porcelain")).toBe(before);
    expect(
      fleet
        .diary(id)
        .filter((entry) => entry.event === "start")
        .at(-1)?.resume,
    ).toBe(true);
  });
});
