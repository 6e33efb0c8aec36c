import type { ReportedCheck, ReportedReview } from "../../core/change/observation.ts";
import { aCreate } from "../builders.ts";
import { aPolicy, aRule } from "../change-builders.ts";
import type { FakeForge } from "../fakes/forge.ts";
import type { EngineBed } from "./engine-bed.ts";
import { createPerson, registerProject, SESSION } from "./story.ts";

/** The policy of the story: the forge runs the checks, and each problem makes the agent commit something. */
export const FORGE_POLICY = aPolicy({
  checks: {},
  reactions: {
    "ci-failed": aRule({ message: "!commit fixed.txt\n{{errors}}" }),
    "changes-requested": aRule({ message: "!commit addressed.txt\n{{comments}}" }),
    "approved-and-green": aRule({ action: "merge", retries: 0, strategy: "squash", deleteAfter: true }),
  },
});

/** A run of the check `build` on the forge. */
export function aReportedCheck(ref: string, state: ReportedCheck["state"]): ReportedCheck<string> {
  return { name: "build", ref, state, url: `https://forge.test/runs/${ref}`, log: null, tookMs: 1000 };
}

/** A review on the forge, with one thread if it has text. */
export function aReportedReview(id: string, head: string, words: string | null): ReportedReview<string> {
  const comments = [{ id: `${id}-c`, author: "bob", byAgent: false, text: words ?? "" }];
  const thread = { id: `${id}-t`, path: "made.txt", line: 1, resolvedBy: null, comments };
  const verdict = words === null ? "approve" : "request-changes";
  return { id, author: "bob", verdict, isDismissed: false, body: null, head, threads: words === null ? [] : [thread] };
}

/** The forge of a bed that was opened with one. */
export function forgeOf(bed: EngineBed): FakeForge {
  const { forge } = bed.world;
  if (forge === null) throw new Error("this bed has no forge elsewhere");
  return forge;
}

/**
 * The life of an issue whose pull request is on a remote forge: a check that is red twice, a requested change, a reply, an approval,
 * a merge.
 */
export async function liveOnForge(bed: EngineBed): Promise<void> {
  const person = createPerson(bed);
  const forge = forgeOf(bed);
  const seenHead = (): string => forge.branches.get("agent/issue-1") ?? "";
  bed.world.tracker.add({ title: "Fix it", body: "", labels: [], dependsOn: [], state: "open" });
  await registerProject(person);
  await person.command({ type: "project.policy", id: "demo", policy: FORGE_POLICY }, "policy of the forge");
  const prompt = { inline: "!commit made.txt" };
  await person.command(aCreate({ issue: "1", prompt, messageId: "m-task" }), "create");
  await person.until("the pull request", () => person.change()?.forge !== undefined);
  for (const ref of ["run-1", "run-1-again"]) forge.logs.set(ref, "Step: Test\nexpected 1, got 2");
  forge.rerun = (number, ref) => forge.report(number, { checks: [aReportedCheck(`${ref}-again`, "failed")] });
  forge.report(1, { checks: [aReportedCheck("run-1", "failed")] });
  const first = seenHead();
  await person.until("the fix on the forge", () => seenHead() !== first);
  forge.report(1, {
    checks: [aReportedCheck("run-2", "passed")],
    reviews: [aReportedReview("r1", seenHead(), "Why?")],
  });
  const second = seenHead();
  await person.until("the addressed review on the forge", () => seenHead() !== second);
  await person.until("an agent at rest", () => person.session()?.activity.state === "idle");
  const reply = { threadId: "r1-t", author: SESSION, byAgent: true, text: { inline: "Done." } } as const;
  await person.command({ type: "change.reply", key: "demo/1", ...reply }, "reply");
  const isWritten = (kind: string): boolean => forge.writes.some(({ write }) => write.kind === kind);
  await person.until("the reply on the forge", () => isWritten("reply") && isWritten("request-review"));
  const reviews = [aReportedReview("r1", second, "Why?"), aReportedReview("r2", seenHead(), null)];
  forge.report(1, { checks: [aReportedCheck("run-3", "passed")], reviews });
  await person.until("the merge", () => person.change()?.phase === "merged");
  await person.until("the end of the session", () => person.session()?.phase === "stopped");
  await person.until("no intent to be open", () => bed.engine.loop.openIntents.size === 0);
}

/** Everything wrong after `liveOnForge`. */
export async function judgeOnForge(bed: EngineBed): Promise<readonly string[]> {
  const { world, engine, store } = bed;
  const forge = forgeOf(bed);
  const events = await store.read(0, Number.MAX_SAFE_INTEGER);
  const count = (type: string): number => events.filter(({ event }) => event.type === type).length;
  const written = (kind: string): number => forge.writes.filter(({ write }) => write.kind === kind).length;
  const heard = (text: string): number => world.diary.filter((entry) => entry.text.includes(text)).length;
  const figures: readonly [string, number, number][] = [
    ["pull requests", world.scm.pulls.length, 1],
    ["merges", world.scm.merges.length, 1],
    ["re-runs on the forge", written("rerun"), 1],
    ["replies on the forge", written("reply"), 1],
    ["requests for another review", written("request-review"), 1],
    ["messages about the red check", heard("!commit fixed.txt"), 1],
    ["messages with its log", heard("expected 1, got 2"), 1],
    ["messages about the review", heard("!commit addressed.txt"), 1],
    ["records of the pull request", count("change.opened"), 1],
    ["records of reviews", count("review.given"), 2],
    ["records of check results", count("check.finished"), 4],
    ["records of the merge", count("change.merged"), 1],
    ["open intents", engine.loop.openIntents.size, 0],
  ];
  return figures.flatMap(([what, is, wanted]) => (is === wanted ? [] : [`${what}: ${is} instead of ${wanted}`]));
}
