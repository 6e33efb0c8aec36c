import { PluginError } from "../../../core/errors.ts";
import type { Host } from "../../../ports/host.ts";
import type { GithubClient } from "../../../providers/github/client.ts";
import { ChangesAnswer, changesQuery, OPTIONAL_FIELD, type PullsQuestion } from "./query.ts";

/** How many pull requests fit into one query. */
const AT_ONCE = 50;

export interface PullsAnswer {
  /** Unparsed; unreadable ones are missing. */
  readonly pulls: readonly unknown[];
  /** The commit of the base, unparsed; null: no such branch. */
  readonly base: unknown;
}

interface Waiting {
  readonly question: PullsQuestion;
  readonly resolve: (answer: PullsAnswer) => void;
  readonly reject: (reason: unknown) => void;
}

const waiting = new WeakMap<Host, Map<string, Waiting[]>>();

/**
 * Queries pull requests of one repository, in one query with everyone who asks the same GitHub with the same token at this
 * moment.
 */
export function askTogether(host: Host, client: GithubClient, question: PullsQuestion): Promise<PullsAnswer> {
  const ofHost = waiting.get(host) ?? new Map<string, Waiting[]>();
  waiting.set(host, ofHost);
  const key = `${client.address.graphql} ${client.scope}`;
  return new Promise((resolve, reject) => {
    const others = ofHost.get(key);
    if (others !== undefined) {
      others.push({ question, resolve, reject });
      return;
    }
    const all = [{ question, resolve, reject }];
    ofHost.set(key, all);
    // Projects are polled at the same moment, so the others ask before this continues.
    queueMicrotask(() => {
      ofHost.delete(key);
      answerAll(client, all).catch(async (error: unknown) => {
        if (isOfOne(error)) for (const one of all) await answerAll(client, [one]).catch(one.reject);
        else for (const one of all) one.reject(error);
      });
    });
  });
}

/** One repository that the token may not read fails the whole query; the others must not suffer from it. */
function isOfOne(error: unknown): boolean {
  return error instanceof PluginError && (error.category === "auth" || error.category === "bad-response");
}

async function answerAll(client: GithubClient, all: readonly Waiting[]): Promise<void> {
  const answers = new Map<Waiting, { pulls: unknown[]; base: unknown }>(
    all.map((one) => [one, { pulls: [], base: null }]),
  );
  const missing = new Set<Waiting>();
  for (const pieces of packed(all)) {
    const asked = changesQuery(pieces.map(({ question }) => question));
    const call = { ...asked, answer: ChangesAnswer, optional: OPTIONAL_FIELD, isBackground: true };
    const { data } = await client.graphql(call);
    for (const [at, { of, question }] of pieces.entries()) {
      const answer = answers.get(of);
      const found = data[`r${at}`];
      if (found == null) missing.add(of);
      answer?.pulls.push(...question.numbers.map((number) => found?.[`p${number}`]));
      if (answer !== undefined) answer.base = found?.ref?.target ?? null;
    }
  }
  for (const [one, answer] of answers) {
    if (missing.has(one)) one.reject(noRepository(client, one.question));
    else one.resolve(answer);
  }
}

function noRepository({ address }: GithubClient, { repository: { owner, repo } }: PullsQuestion): PluginError {
  const message = `${address.host} has no repository ${owner}/${repo}.`;
  const hint = "Check `repo`, and that the token may read it: GitHub hides what a token may not see.";
  return new PluginError({ plugin: "github", category: "not-found", message, hint });
}

interface Piece {
  readonly of: Waiting;
  readonly question: PullsQuestion;
}

/** The questions in as few queries as possible. */
function packed(all: readonly Waiting[]): readonly (readonly Piece[])[] {
  const queries: Piece[][] = [];
  let room = 0;
  for (const of of all) {
    const { numbers } = of.question;
    for (let start = 0; start < numbers.length; ) {
      if (room === 0) {
        queries.push([]);
        room = AT_ONCE;
      }
      const some = numbers.slice(start, start + room);
      queries.at(-1)?.push({ of, question: { ...of.question, numbers: some } });
      start += some.length;
      room -= some.length;
    }
  }
  return queries;
}
