import { aCreate } from "../builders.ts";
import { aCheckRule, aPolicy, aRule } from "../change-builders.ts";
import { type BedOptions, type EngineBed, openEngineBed } from "./engine-bed.ts";
import { CHANGE, createPerson, registerProject, SESSION } from "./story.ts";

const FILE = "made.txt";

/** A bed on which the base's check `late` is red while the agent's file is there. */
export async function openGuardBed(options: BedOptions): Promise<EngineBed> {
  const bed: EngineBed = await openEngineBed({
    ...options,
    ports: ({ scm }) => ({
      scm: {
        ...scm,
        runCheck: async ({ commit, check }) => {
          // The check on main takes longer than a merge.
          if (check === "late") bed.world.clock.set(bed.world.clock.now() + 1000);
          const isRed = check === "late" && bed.world.repository.get(commit)?.tree.has(FILE) === true;
          const facts = { log: `${check} on ${commit}`, tookMs: 1 };
          return isRed ? { kind: "failed", code: 1, ...facts } : { kind: "passed", ...facts };
        },
      },
    }),
  });
  return bed;
}

/** A merge that breaks main: it is found and reverted, and its agent is notified. */
export async function liveWithGuard(bed: EngineBed): Promise<void> {
  const person = createPerson(bed);
  bed.world.tracker.add({ title: "Break it", body: "", labels: [], dependsOn: [], state: "open" });
  await registerProject(person);
  const policy = aPolicy({
    checks: { unit: aCheckRule({ setup: "" }), late: aCheckRule({ setup: "", on: ["main"], required: false }) },
    merging: { approvals: 0 },
    train: { batch: 1 },
    mainGuard: "auto",
    reactions: { "approved-and-green": aRule({ action: "merge", retries: 0, strategy: "squash", deleteAfter: true }) },
  });
  await person.command({ type: "project.policy", id: "demo", policy }, "guarded");
  const prompt = { inline: `!commit ${FILE}` };
  await person.command(aCreate({ issue: "1", prompt, messageId: "m-task" }), "create");
  await person.until("the merge", () => person.change()?.phase === "merged");
  await person.until("the evidence", () => bed.world.diary.some(({ text }) => text.includes("broke main")));
  const main = (): unknown => bed.engine.loop.world.view.project("demo")?.main;
  const head = (): string | null => bed.world.repository.head("main");
  await person.until("main to be green", () => isGreen(main(), head()));
  await person.until("no intent to be open", () => bed.engine.loop.openIntents.size === 0);
}

function isGreen(main: unknown, head: string | null): boolean {
  const { green = null, broken = null } = (main ?? {}) as { readonly green?: string; readonly broken?: unknown };
  return broken === null && green !== null && green === head;
}

/** Everything wrong after `liveWithGuard`. */
export function judgeGuard({ world, engine }: EngineBed): readonly string[] {
  const { repository, diary, tracker } = world;
  const main = repository.history(repository.head("main") ?? "");
  const reverts = main.filter(({ subject }) => subject.startsWith("Revert #1 "));
  const told = diary.filter(({ text, sessionId }) => sessionId === SESSION && text.includes("broke main"));
  const merges = world.scm.merges.filter((number) => number === 1);
  return [
    ...(reverts.length === 1 ? [] : [`reverted ${reverts.length} times`]),
    ...(merges.length === 1 ? [] : [`merged ${merges.length} times`]),
    ...(new Set(told.map(({ id }) => id)).size === 1 ? [] : [`${told.length} messages about main`]),
    ...(main[0]?.tree.has(FILE) === false ? [] : ["main still has what broke it"]),
    ...(tracker.issues.get("1")?.state === "open" ? [] : ["the issue is not open again"]),
    ...(engine.loop.world.view.change(CHANGE)?.phase === "merged" ? [] : ["the change is not merged"]),
    ...(engine.loop.world.view.session(SESSION)?.phase === "open" ? [] : ["the session is not back"]),
  ];
}
