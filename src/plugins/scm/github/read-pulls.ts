import type { ScmProject, WatchedChange } from "../../../ports/scm.ts";
import { readHead } from "../../../providers/git/scm/read-head.ts";
import { fetchBase } from "../../../providers/git/scm/remote-repository.ts";
import { askTogether } from "./ask-together.ts";
import { completeBase, completePull } from "./complete-lists.ts";
import { Base, type Context, Facts, type Part, type Pull, Talk } from "./query.ts";
import type { GithubTools } from "./tools.ts";

/** This few are always read completely: someone asks for exactly these, and one query is enough. */
const FEW = 5;
/** Some activity does not change the time of the last update; it shows up at the latest after this long. */
const TALK_MS = 30 * 60_000;
/** GitHub's times are whole seconds, in which more can have happened after a read. */
const SETTLED_MS = 2000;

interface ReadPulls {
  readonly pulls: readonly Pull[];
  /** The commit of the base. */
  readonly baseHead: string;
  readonly baseChecks: readonly Context[];
}

interface KnownTalk {
  readonly talk: Talk;
  readonly updatedAt: string;
  /** When this update time was first seen, and when the discussion was last read. */
  readonly since: number;
  readonly at: number;
}

/**
 * Reads pull requests with their discussion. The discussion is most of a query's rate limit cost, so for many pull
 * requests it is read only if something changed.
 */
export function createPullReader(
  tools: GithubTools,
): (project: ScmProject, changes: readonly WatchedChange[]) => Promise<ReadPulls> {
  const known = new Map<number, KnownTalk>();
  const { clock } = tools.host;
  const isCurrent = ({ number, updatedAt }: Facts): boolean => {
    const one = known.get(number);
    return one?.updatedAt === updatedAt && one.at - one.since >= SETTLED_MS && clock.now() - one.at < TALK_MS;
  };
  const remember = (facts: readonly Facts[], answer: readonly unknown[]): void => {
    const updatedAts = new Map(facts.map(({ number, updatedAt }) => [number, updatedAt]));
    for (const talk of answer.flatMap((pull) => Talk.safeParse(pull).data ?? [])) {
      const updatedAt = updatedAts.get(talk.number) ?? "";
      const before = known.get(talk.number);
      const at = clock.now();
      known.set(talk.number, { talk, updatedAt, since: before?.updatedAt === updatedAt ? before.since : at, at });
    }
  };
  const join = (facts: Facts): readonly Pull[] => {
    const talk = known.get(facts.number)?.talk;
    const unread = [...new Set([...facts.unread, ...(talk?.unread ?? [])])];
    return talk === undefined ? [] : [{ ...facts, ...talk, unread }];
  };
  const readFew = async (project: ScmProject, asked: Omit<Asked, "parts">): Promise<ReadPulls> => {
    const { pulls, ...base } = await ask(tools, project, { ...asked, parts: ["facts", "talk"] });
    const facts = pulls.flatMap((pull) => Facts.safeParse(pull).data ?? []);
    remember(facts, pulls);
    return { pulls: facts.flatMap(join), ...base };
  };
  return async (project, changes) => {
    const numbers = changes.map(({ number }) => number);
    const queued = new Set(changes.flatMap(({ number, isQueued }) => (isQueued === true ? [number] : [])));
    if (numbers.length <= FEW) return readFew(project, { numbers, queued });
    for (const number of known.keys()) if (!numbers.includes(number)) known.delete(number);
    const { pulls, ...base } = await ask(tools, project, { numbers, parts: ["facts"], queued });
    const facts = pulls.flatMap((pull) => Facts.safeParse(pull).data ?? []);
    const stale = facts.filter((one) => !isCurrent(one)).map(({ number }) => number);
    remember(facts, (await ask(tools, project, { numbers: stale, parts: ["talk"] })).pulls);
    return { pulls: facts.flatMap(join), ...base };
  };
}

interface Asked {
  readonly numbers: readonly number[];
  readonly parts: readonly Part[];
  /** Those whose place in the merge queue matters. */
  readonly queued?: ReadonlySet<number>;
}

interface Answer {
  readonly pulls: readonly unknown[];
  readonly baseHead: string;
  readonly baseChecks: readonly Context[];
}

/** The requested parts, unparsed, with all of their lists; omits unreadable ones. */
async function ask(
  tools: GithubTools,
  project: ScmProject,
  { numbers, parts, queued = new Set() }: Asked,
): Promise<Answer> {
  const branch = project.defaultBranch;
  if (numbers.length === 0) return { pulls: [], baseHead: "", baseChecks: [] };
  const question = { repository: tools.repository, base: branch, numbers, parts, queued };
  const answer = await askTogether(tools.host, tools.client, question);
  const pulls: unknown[] = [];
  for (const pull of answer.pulls) pulls.push(await completePull(tools, pull));
  const base = Base.safeParse(await completeBase(tools, answer.base, branch)).data;
  const baseHead = base?.oid ?? "";
  // A newer base is fetched before it is reported, because merging with it is tried locally.
  if (baseHead !== "" && baseHead !== (await readHead(tools, project, branch))) await fetchBase(tools, project);
  return { pulls, baseHead, baseChecks: base?.statusCheckRollup?.contexts ?? [] };
}
