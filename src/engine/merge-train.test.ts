import { describe, expect, it } from "vitest";
import type { ChangeState } from "../core/change/state.ts";
import type { Input } from "../core/input.ts";
import { aCreate } from "../testing/builders.ts";
import { aCheckRule, aPolicy, aRule } from "../testing/change-builders.ts";
import { type EngineBed, openEngineBed } from "../testing/engine-bed/engine-bed.ts";
import { createPerson, registerProject } from "../testing/engine-bed/story.ts";
import { isFull } from "../testing/full.ts";

/**
 * Branches of a round: independent ones, those that conflict with one of them, and pairs that are red only together.
 */
interface Round {
  readonly plain: number;
  readonly conflicts: number;
  readonly pairs: number;
  readonly batch: number;
  readonly deaths: number;
}

type Tree = ReadonlyMap<string, string>;

const isRed = (tree: Tree): boolean =>
  [...tree.keys()].some((name) => name.startsWith("left-") && tree.has(name.replace("left-", "right-")));

function tasksOf({ plain, conflicts, pairs }: Round): readonly string[] {
  const count = (length: number): readonly number[] => Array.from({ length }, (_, index) => index + 1);
  return [
    ...count(plain).map((n) => `plain-${n}=first`),
    ...count(conflicts).map((n) => `plain-${n}=second`),
    ...count(pairs).flatMap((n) => [`left-${n}=x`, `right-${n}=x`]),
  ];
}

/** Runs a round to its end, with a daemon that dies again and again. */
async function live(round: Round): Promise<EngineBed> {
  let places = 0;
  const bed: EngineBed = await openEngineBed({
    deaths: round.deaths,
    // Not a multiple of what one step passes, so that each death hits another place.
    killAt: () => {
      places += 1;
      return places % 317 === 0;
    },
    ports: ({ scm }) => ({
      scm: {
        ...scm,
        runCheck: async ({ commit }) => {
          const facts = { log: `checked ${commit}`, tookMs: 1 };
          const red = isRed(bed.world.repository.get(commit)?.tree ?? new Map());
          return red ? { kind: "failed", code: 1, ...facts } : { kind: "passed", ...facts };
        },
      },
    }),
  });
  const person = createPerson(bed);
  await registerProject(person);
  const policy = aPolicy({
    checks: { unit: aCheckRule({ run: "true", setup: "" }) },
    merging: { approvals: 0 },
    train: { batch: round.batch },
    reactions: { "approved-and-green": aRule({ action: "merge", retries: 0, strategy: "squash", deleteAfter: true }) },
  });
  await person.command({ type: "project.policy", id: "demo", policy }, "policy 2");
  await person.command({ type: "fleet.limit", limit: 100 }, "limit");
  const tasks = tasksOf(round);
  for (const [index, task] of tasks.entries()) {
    const create = aCreate({
      title: `Task ${index + 1}`,
      prompt: { inline: `!commit ${task}` },
      messageId: `m-${index}`,
    });
    await person.command(create as Input, `create ${index}`);
  }
  const isOver = (): boolean => {
    const changes = [...bed.engine.loop.world.view.changes()];
    const isSettled = ({ phase, rejection, problems }: ChangeState): boolean =>
      phase === "merged" || (rejection !== undefined && Object.values(problems).some(({ sent }) => sent > 0));
    return changes.length === tasks.length && changes.every(isSettled) && bed.engine.loop.openIntents.size === 0;
  };
  await person.until("all to be merged or sent back", isOver);
  return bed;
}

/** Commits of main along its first parents, newest first, without the initial one. */
function mainOf({ world: { repository } }: EngineBed): readonly string[] {
  const commits: string[] = [];
  for (let id = repository.head("main") ?? ""; (repository.get(id)?.parents.length ?? 0) > 0; ) {
    commits.push(id);
    id = repository.get(id)?.parents[0] ?? "";
  }
  return commits;
}

/** What is wrong after a round. */
function judge(bed: EngineBed, { plain, conflicts, pairs, batch }: Round): readonly string[] {
  const { repository } = bed.world;
  const main = mainOf(bed);
  const tree = repository.get(main[0] ?? "")?.tree ?? new Map<string, string>();
  const changes = [...bed.engine.loop.world.view.changes()];
  const open = changes.filter(({ phase }) => phase === "open");
  const merged = plain + conflicts + pairs;
  // Only the last commit of a batch was checked.
  const checked = batch === 1 ? main : main.slice(0, 1);
  return [
    ...checked.filter((id) => isRed(repository.get(id)?.tree ?? new Map())).map((id) => `main is red at ${id}`),
    ...(main.length === merged ? [] : [`${main.length} commits on main instead of ${merged}`]),
    ...(open.length === pairs ? [] : [`${open.length} were sent back instead of ${pairs}`]),
    ...[...tree.keys()]
      .filter((name) => name.startsWith("resolved-"))
      .slice(conflicts)
      .map((name) => `${name} too many`),
    ...open.flatMap((change) => judgeRejected(bed, change, changes)),
  ];
}

// The other one of its pair must be merged, and named in the message to its agent.
function judgeRejected({ world }: EngineBed, change: ChangeState, all: readonly ChangeState[]): readonly string[] {
  const own =
    [...(world.repository.get(change.head)?.tree.keys() ?? [])].find((name) => /^(left|right)-/.test(name)) ?? "";
  const partner = own.startsWith("left-") ? own.replace("left-", "right-") : own.replace("right-", "left-");
  const other = all.find(({ head }) => world.repository.get(head)?.tree.has(partner) === true);
  const messages = world.diary.filter(
    ({ sessionId, text }) => sessionId === change.sessionId && text.includes("passed alone"),
  );
  return [
    ...(other?.phase === "merged" ? [] : [`${partner}, the other of ${own}, is not merged`]),
    ...(messages.some(({ text }) => text.includes("together with")) ? [] : [`nobody messages the agent of ${own}`]),
    ...(change.rejection?.since.includes(other?.number ?? 0) === true
      ? []
      : [`${own} was rejected without ${partner}`]),
  ];
}

const SMALL: Round = { plain: 4, conflicts: 1, pairs: 1, batch: 1, deaths: 3 };
const LARGE: Round = { plain: 19, conflicts: 5, pairs: 3, batch: 1, deaths: 20 };

describe("the merge train under a daemon that dies", () => {
  it.each([
    ["one by one", SMALL],
    ["in batches", { ...SMALL, batch: 4 }],
    ...(isFull
      ? ([
          ["one by one, 30 branches", LARGE],
          ["in batches, 30 branches", { ...LARGE, batch: 8 }],
        ] as const)
      : []),
  ] as const)(
    "keeps main green, merges what fits, and sends the later of each pair back: %s",
    async (_, round) => {
      const bed = await live(round);
      expect(judge(bed, round)).toEqual([]);
    },
    600_000,
  );
});
