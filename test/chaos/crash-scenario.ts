import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { SessionDetailView } from "../../src/protocol/views/session.ts";
import { git } from "../../src/testing/git-repo.ts";
import { PATIENCE_MS } from "../../src/testing/patience.ts";
import { type Fleet, processesOf } from "../support/fleet.ts";
import { judgeDeliveries } from "../support/judge.ts";
import { until } from "../support/until.ts";

const TASK = "task\n!write made.txt by-the-agent";

/** A whole life of a session: create, talk, stop with dirty files, restore, talk, stop. A dead daemon is restarted. */
export async function liveOnce(fleet: Fleet, extra = "", limitMs = PATIENCE_MS): Promise<readonly string[]> {
  const awaitSession = (id: string, isReached: (session: SessionDetailView) => boolean): Promise<SessionDetailView> =>
    reach(fleet, id, isReached, limitMs);
  const texts = [TASK + extra, "second message", "third message", "after the restore"] as const;
  await fleet.write("POST", "/api/projects", { path: fleet.repo });
  const { body } = await fleet.write<SessionDetailView>("POST", "/api/sessions", { title: "one", prompt: texts[0] });
  const { id } = body;
  await fleet.write("POST", `/api/sessions/${id}/message`, { content: texts[1] });
  await fleet.write("POST", `/api/sessions/${id}/message`, { content: texts[2] });
  const talked = await awaitSession(id, (session) => session.messages.length === 3 && allDelivered(session));
  const folder = talked.workspacePath ?? "";
  writeFileSync(join(folder, "untracked é.txt"), "mine\n");
  writeFileSync(join(folder, "README.md"), "# changed\n");
  git(folder, "add", "README.md");
  const before = git(folder, "status", "--porcelain");

  await fleet.write("DELETE", `/api/sessions/${id}`);
  await awaitSession(id, (session) => session.status === "stopped");
  await fleet.write("POST", `/api/sessions/${id}/restore`, {});
  await fleet.write("POST", `/api/sessions/${id}/message`, { content: texts[3] });
  await awaitSession(id, (session) => session.messages.length === 4 && allDelivered(session));
  const after = git(folder, "status", "--porcelain");
  const untracked = readFileSync(join(folder, "untracked é.txt"), "utf8");
  const made = readFileSync(join(folder, "made.txt"), "utf8");

  await fleet.write("DELETE", `/api/sessions/${id}`);
  await awaitSession(id, (session) => session.status === "stopped");
  const faults = [...judgeDeliveries(texts, fleet.diary(id), fleet.receipts(id))];
  if (after !== before) faults.push(`status before the stop: ${before}, after the restore: ${after}`);
  if (untracked !== "mine\n" || made !== "by-the-agent") faults.push("a file lost its content");
  const refs = git(fleet.repo, "for-each-ref", "--format=%(refname)").split("\n");
  if (!refs.includes("refs/heads/agent/one")) faults.push("the branch is gone");
  if (!refs.some((ref) => ref.startsWith("refs/ao/preserved/"))) faults.push("nothing was preserved");
  if (git(fleet.repo, "worktree", "list").trim().split("\n").length !== 1) faults.push("a worktree is left");
  if (git(fleet.repo, "status", "--porcelain") !== "") faults.push("the user's checkout was changed");
  await until("no process to be left", () => processesOf(fleet.home).length === 0);
  return faults;
}

function allDelivered(session: SessionDetailView): boolean {
  return session.messages.every((message) => message.delivery === "delivered");
}

async function reach(
  fleet: Fleet,
  id: string,
  isReached: (session: SessionDetailView) => boolean,
  limitMs: number,
): Promise<SessionDetailView> {
  return until(
    `session ${id}`,
    async () => {
      if (!fleet.isUp()) await fleet.start();
      const session = await fleet.session(id);
      return isReached(session) ? session : false;
    },
    limitMs,
  );
}
