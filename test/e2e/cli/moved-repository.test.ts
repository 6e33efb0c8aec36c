import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { git } from "../../../src/testing/git-repo.ts";
import { makeFleet } from "../../support/fleet.ts";
import { begin, open, reach, tell } from "../survival/session.ts";

it("a repository that was moved is taken over at its new place, with its sessions, worktrees and uncommitted files", async () => {
  const fleet = await makeFleet();
  await open(fleet);
  const { id, workspacePath } = await begin(fleet, "work");
  writeFileSync(join(workspacePath ?? "", "draft.txt"), "not committed\n");
  const moved = join(fleet.dir, "elsewhere");
  renameSync(fleet.repo, moved);
  await reach(fleet, id, "without its worktree", ({ agentStatus }) => agentStatus === "workspace-missing");

  const added = await fleet.write("POST", "/api/projects", { path: moved });
  expect(added.status, JSON.stringify(added.body)).toBe(201);
  const back = await reach(fleet, id, "back", ({ agentStatus }) => agentStatus === "idle");
  expect(back.workspacePath?.startsWith(`${moved}/`)).toBe(true);
  expect(readFileSync(join(back.workspacePath ?? "", "draft.txt"), "utf8")).toBe("not committed\n");
  expect(git(back.workspacePath ?? "", "status", "--porcelain")).toContain("draft.txt");
  expect(git(moved, "worktree", "list", "--porcelain")).not.toContain("prunable");
  await tell(fleet, id, "still there?");
  await fleet.write("DELETE", `/api/sessions/${id}`);
  const stopped = await reach(fleet, id, "stopped", ({ agentStatus }) => agentStatus === "stopped");
  expect(stopped.workspace.preservedRef).not.toBeNull();
});
