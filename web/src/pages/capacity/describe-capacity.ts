import type { CapacityView } from "../../../../src/protocol/views/capacity.ts";
import { formatClock } from "../../lib/time.ts";
import type { Figure } from "../../parts/figures.tsx";

type Agent = CapacityView["agents"][number];
type Queued = CapacityView["queue"][number];

/** The figures at the top of the page. */
export function listFigures({ slots, agents, queue, memory }: CapacityView): readonly Figure[] {
  const sum = (count: (agent: Agent) => number): number => agents.reduce((total, agent) => total + count(agent), 0);
  const limited = sum(({ rateLimited }) => rateLimited);
  const free = Math.max(0, slots.limit - slots.used);
  return [
    {
      value: String(slots.used),
      label: `of ${slots.limit} agents`,
      context: free === 0 ? "no slot free" : `${free} ${free === 1 ? "slot" : "slots"} free`,
    },
    {
      value: String(queue.length),
      label: queue.length === 1 ? "task waiting" : "tasks waiting",
      context: "for a slot",
    },
    {
      value: String(sum(({ waiting }) => waiting)),
      label: "waiting for you",
      context: `${sum(({ idle }) => idle)} idle`,
    },
    {
      value: String(limited),
      label: "rate limited",
      context: describeResume(agents.map(({ rateLimitedUntil }) => rateLimitedUntil)),
      ...(limited > 0 ? { tone: "you" as const } : {}),
    },
    { value: `${Math.round(memory.rssBytes / 2 ** 20)} MB`, label: "daemon's memory", context: "agents not included" },
  ];
}

function describeResume(times: readonly (string | null)[]): string {
  const [first] = times.filter((time) => time !== null).sort();
  return first === undefined ? "no pause ahead" : `resumes at ${formatClock(first)}`;
}

/** What blocks the agents of one program; null: nothing. */
export function describeLimit({ rateLimited, rateLimitedUntil }: Agent): string | null {
  if (rateLimited === 0) return null;
  return rateLimitedUntil === null ? "rate limited" : `rate limited, resumes at ${formatClock(rateLimitedUntil)}`;
}

/** Why a queued task does not start. */
export function describeWait(
  { waitsFor, behind }: Queued,
  { slots, projects }: CapacityView,
  projectId: string,
): string {
  if (waitsFor === "resume") return "paused";
  const own = projects.find((project) => project.projectId === projectId);
  const reason =
    waitsFor === "project" && own?.limit != null
      ? `${own.used} of ${own.limit} agents of ${projectId} busy`
      : `${slots.used} of ${slots.limit} agents busy`;
  return behind.length === 0 ? `${reason}, next free slot` : `${reason}, after ${behind[behind.length - 1]}`;
}

/** The slots that the agents of one program hold, one per square; those that rest or wait for a person hold none. */
export function slotKinds({ working, rateLimited }: Agent): readonly string[] {
  const kinds = { working, limited: rateLimited };
  return Object.entries(kinds).flatMap(([kind, count]) => Array.from({ length: count }, () => kind));
}
