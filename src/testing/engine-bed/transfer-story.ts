import { aCreate } from "../builders.ts";
import type { EngineBed } from "./engine-bed.ts";
import { aReportedCheck, aReportedReview, FORGE_POLICY, forgeOf } from "./forge-story.ts";
import { CHANGE, createPerson, registerProject } from "./story.ts";

/** A pull request is opened here; then its project gets a forge, and it is published, approved and merged there. */
export async function liveTransferred(bed: EngineBed): Promise<void> {
  const person = createPerson(bed);
  const forge = forgeOf(bed);
  const { before } = bed.world;
  bed.world.tracker.add({ title: "Fix it", body: "", labels: [], dependsOn: [], state: "open" });
  await registerProject(person);
  await person.command({ type: "project.policy", id: "demo", policy: FORGE_POLICY }, "policy without checks");
  const prompt = { inline: "!commit made.txt" };
  await person.command(aCreate({ issue: "1", prompt, messageId: "m-task" }), "create");
  await person.until("the local pull request", () => person.change()?.phase === "open");
  await person.command({ type: "change.label", key: CHANGE, add: ["small"], remove: [], by: "ann" }, "label");
  const policy = { ...FORGE_POLICY, scm: { plugin: "github", config: {} } };
  await person.command({ type: "project.policy", id: "demo", policy }, "policy of the forge");
  if (before !== null) before.isOver = true;
  bed.kill();
  await bed.restart();
  await person.command({ type: "change.transfer", key: CHANGE, by: "ann" }, "transfer");
  await person.until("the pull request on the forge", () => person.change()?.forge !== undefined);
  const [pull] = bed.world.scm.pulls;
  const reviews = [aReportedReview("r1", pull?.head ?? "", null)];
  forge.report(pull?.number ?? 0, { checks: [aReportedCheck("run-1", "passed")], reviews, labels: ["small"] });
  await person.until("the merge", () => person.change()?.phase === "merged");
  await person.until("the end of the session", () => person.session()?.phase === "stopped");
  await person.until("no intent to be open", () => bed.engine.loop.openIntents.size === 0);
}

/** Everything that is wrong after `liveTransferred`. */
export async function judgeTransferred(bed: EngineBed): Promise<readonly string[]> {
  const { world, engine, store } = bed;
  const events = await store.read(0, Number.MAX_SAFE_INTEGER);
  const count = (type: string): number => events.filter(({ event }) => event.type === type).length;
  const figures: readonly [string, number, number][] = [
    ["pull requests on the forge", world.scm.pulls.length, 1],
    ["merges", world.scm.merges.length, 1],
    ["labels written to the forge", forgeOf(bed).writes.length, 1],
    ["records of the pull request", count("change.opened"), 1],
    ["records of its transfer", count("change.transferred"), 1],
    ["records of removed labels", count("label.removed"), 0],
    ["records of check results", count("check.finished"), 1],
    ["records of the merge", count("change.merged"), 1],
    ["open intents", engine.loop.openIntents.size, 0],
    ["its number", engine.loop.world.view.change(CHANGE)?.number ?? 0, world.scm.pulls[0]?.number ?? -1],
  ];
  return figures.flatMap(([what, is, wanted]) => (is === wanted ? [] : [`${what}: ${is} instead of ${wanted}`]));
}
