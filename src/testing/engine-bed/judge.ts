import type { EngineBed } from "./engine-bed.ts";
import { CHANGE, SESSION } from "./story.ts";

/** Everything wrong after `liveOnce`: what happened twice, what is missing, and what never ended. */
export async function judge(bed: EngineBed): Promise<readonly string[]> {
  return [...judgeEffects(bed), ...(await judgeLog(bed))];
}

/** Effects by their natural keys, as the world saw them. */
function judgeEffects({ world }: EngineBed): readonly string[] {
  const { issues } = world.tracker;
  const edits = world.scripts.tracker.count("edit");
  const notices = world.notifier.delivered.flat();
  const urgent = notices.filter(({ priority }) => priority === "urgent");
  return [
    ...exactlyOnce(
      "message",
      ["m-task", "m-ask", "q-m-ask"],
      world.diary.map(({ id }) => id),
    ),
    ...exactlyOnce(
      "start of a run",
      [`${SESSION}/1`],
      world.runtime.starts.map(({ sessionId, run }) => `${sessionId}/${run}`),
    ),
    ...exactlyOnce("creation of a workspace", ["/repo/.worktrees/issue-1"], world.workspace.created),
    ...exactlyOnce(
      "pull request",
      ["agent/issue-1"],
      world.scm.pulls.map(({ branch }) => branch),
    ),
    ...exactlyOnce("merge", ["1"], world.scm.merges.map(String)),
    ...atMostOnce("check", world.scm.checks.started),
    ...atMostOnce(
      "notice that is not urgent",
      notices.filter((one) => !urgent.includes(one)).map(({ id }) => id),
    ),
    ...(urgent.length === 0 ? ["the urgent notice was lost"] : []),
    ...(issues.get("1")?.state === "closed" && edits >= 1 ? [] : ["the issue is not closed"]),
    // A command may run again after a death, and recognizes that by AO_INTENT.
    ...(world.commands.includes("echo opened") ? [] : ["the command of a rule was lost"]),
    ...(edits > 1 ? ["the issue was closed twice"] : []),
    ...(world.repository.head("agent/issue-1") === null ? [] : ["the branch is left"]),
    ...([...world.repository.refs.keys()].some((ref) => ref.startsWith("refs/ao/preserved/"))
      ? ["work was preserved that was committed"]
      : []),
  ];
}

/** The log: every intent ends once, and successfully. */
async function judgeLog({ engine, store }: EngineBed): Promise<readonly string[]> {
  const events = await store.read(0, Number.MAX_SAFE_INTEGER);
  const finished = events.flatMap(({ event }) => (event.type === "intent.finished" ? [event] : []));
  const view = engine.loop.world.view;
  const open = [...engine.loop.openIntents.keys()].map((id) => `${id} never ended`);
  const bad = finished.filter(({ outcome }) => outcome !== "done").map(({ id, outcome }) => `${id} is ${outcome}`);
  const undelivered = (view.session(SESSION)?.messages ?? [])
    .filter(({ status }) => status !== "accepted" && status !== "written")
    .map(({ id, status }) => `message ${id} is ${status}`);
  return [
    ...atMostOnce(
      "end of",
      finished.map(({ id }) => id),
    ),
    ...open,
    ...bad,
    ...undelivered,
    ...(view.session(SESSION)?.phase === "stopped" ? [] : ["the session is not stopped"]),
    ...(view.change(CHANGE)?.phase === "merged" ? [] : ["the change is not merged"]),
  ];
}

function exactlyOnce(what: string, wanted: readonly string[], seen: readonly string[]): readonly string[] {
  const missing = wanted.filter((key) => !seen.includes(key)).map((key) => `${what} ${key} never happened`);
  const surprising = seen.filter((key) => !wanted.includes(key)).map((key) => `${what} ${key} was not wanted`);
  return [...missing, ...surprising, ...atMostOnce(what, seen)];
}

function atMostOnce(what: string, seen: readonly string[]): readonly string[] {
  return [...new Set(seen.filter((key, index) => seen.indexOf(key) !== index))].map(
    (key) => `${what} ${key} happened ${seen.filter((other) => other === key).length} times`,
  );
}
