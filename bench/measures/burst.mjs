import { setImmediate as turn } from "node:timers/promises";
import { awaitFirstMessage, createSession, removeSession } from "../sessions.mjs";
import { median, timed } from "../statistics.mjs";
import { addWorktree, removeWorktree } from "./spawn.mjs";

const SESSIONS = 20;
const ROUNDS = { tiny: 3, large: 1 };
/** Of git alone, one after the other. */
const AIM_RATIO = { tiny: 2.5, large: 1.25 };

/** Twenty sessions requested at the same moment, against twenty `git worktree add` one after the other. */
export async function measureBurst(context) {
  return [...(await measureRepo(context, "tiny")), ...(await measureRepo(context, "large"))];
}

async function measureRepo(context, size) {
  const repo = context.repo(size);
  const count = context.pick(SESSIONS, 3);
  const rounds = context.pick(ROUNDS[size], 1);
  const fleet = await context.openFleet(size);
  const floors = [];
  const ready = [];
  const confirmed = [];
  // A first session, so that the daemon has read and compiled what it needs.
  const first = await createSession(fleet, repo.name, "Warm up");
  await awaitFirstMessage(fleet, first);
  await removeSession(fleet, first.id);
  for (let round = 0; round < rounds; round += 1) {
    const names = Array.from({ length: count }, (_, index) => `sequence-${round}-${index}`);
    floors.push(await addInSequence(context, repo, names));
    const burst = await startTogether(fleet, repo, count);
    ready.push(burst.ready);
    confirmed.push(burst.confirmed);
    if (round + 1 === rounds) break;
    await Promise.all(burst.sessions.map(({ id }) => removeSession(fleet, id)));
    for (const name of names) removeWorktree(context, repo, name);
  }
  await fleet.kill();
  const aim = { on: "ratio", atMost: AIM_RATIO[size] };
  const shared = { unit: "ms", floor: median(floors), floorName: `${count} git worktree add in sequence`, aim };
  return [
    {
      ...shared,
      name: `${count} at once until ready, ${size} repository`,
      value: median(ready),
    },
    {
      ...shared,
      name: `${count} at once until the agents confirmed, ${size} repository`,
      value: median(confirmed),
    },
  ];
}

async function startTogether(fleet, repo, count) {
  const sessions = [];
  let ready = 0;
  const titles = Array.from({ length: count }, (_, index) => `One of many ${index}`);
  const confirmed = await timed(async () => {
    ready = await timed(async () => {
      sessions.push(...(await Promise.all(titles.map((title) => createSession(fleet, repo.name, title)))));
    });
    await Promise.all(sessions.map((session) => awaitFirstMessage(fleet, session)));
  });
  return { sessions, ready, confirmed };
}

async function addInSequence(context, repo, names) {
  let total = 0;
  for (const name of names) {
    await turn();
    total += addWorktree(context, repo, name);
  }
  return total;
}
