import type { ChangeObservation } from "../../../core/change/observation.ts";
import type { RemoteForge, ScmProject } from "../../../ports/scm.ts";
import { readHead } from "../../../providers/git/scm/read-head.ts";
import { fetchBase, pushBranch } from "../../../providers/git/scm/remote-repository.ts";
import { readCheckLog } from "./check-log.ts";
import { toObservation } from "./observe.ts";
import { ChangesAnswer, changesQuery, Pull } from "./query.ts";
import type { GithubTools } from "./tools.ts";
import { applyWrite } from "./writes.ts";

/** A commit that was pushed so lately may have checks that GitHub has not made yet. */
const YOUNG_MS = 30_000;
/** So many pull requests fit into one question. */
const MAX_AT_ONCE = 50;

/** What GitHub reports, and what it is given. */
export function createRemote(tools: GithubTools): RemoteForge {
  const firstSeen = new Map<string, number>();
  const isYoung = (head: string): boolean => {
    const since = firstSeen.get(head) ?? tools.host.clock.now();
    firstSeen.set(head, since);
    return tools.host.clock.now() - since < YOUNG_MS;
  };
  return {
    fetchBase: (project) => fetchBase(tools, project),
    publish: (request) => pushBranch(tools, request.project, request),
    readChanges: async (project, changes) => {
      const seen: ChangeObservation<string>[] = [];
      for (let start = 0; start < changes.length; start += MAX_AT_ONCE) {
        const numbers = changes.slice(start, start + MAX_AT_ONCE).map(({ number }) => number);
        const { pulls, baseHead } = await readPulls(tools, project, numbers);
        for (const pull of pulls) seen.push(toObservation(pull, { baseHead, isYoung: isYoung(pull.headRefOid) }));
      }
      return seen;
    },
    readCheckLog: (_project, check) => readCheckLog(tools, check),
    write: ({ number, write }) => applyWrite(tools, number, write),
  };
}

async function readPulls(
  tools: GithubTools,
  project: ScmProject,
  numbers: readonly number[],
): Promise<{ readonly pulls: readonly Pull[]; readonly baseHead: string }> {
  const { owner, repo: name } = tools.repository;
  const base = project.defaultBranch;
  const { data } = await tools.client.graphql({
    query: changesQuery(numbers),
    variables: { owner, name, base: `refs/heads/${base}` },
    answer: ChangesAnswer,
    isBackground: true,
  });
  const { repository } = data;
  const baseHead = repository?.ref?.target?.oid ?? "";
  // A newer base is brought here before anybody hears of it: whether a branch merges with it is tried here.
  if (baseHead !== "" && baseHead !== (await readHead(tools, project, base))) await fetchBase(tools, project);
  const pulls = numbers.flatMap((number) => Pull.safeParse(repository?.[`p${number}`]).data ?? []);
  return { pulls, baseHead };
}
