import type { FoundChange } from "../../core/change/found-change.ts";
import type { ChangeObservation } from "../../core/change/observation.ts";
import type { Host } from "../../ports/host.ts";
import type { ForgeClaims, PublishAnswer, PublishRequest, RemoteForge, RemoteWrite, Scm } from "../../ports/scm.ts";
import type { FakeRepository } from "./repository.ts";
import { createFakeScm, type FakePull, type ScmWorld } from "./scm.ts";

/** What a test can make happen on the forge, and what it finds there. */
export interface FakeForge {
  /** Commits of branches there. */
  readonly branches: Map<string, string>;
  /** Changes what the forge shows of a pull request. */
  report(number: number, facts: Partial<ChangeObservation<string>>): void;
  /** Logs of checks by the id of their run. */
  readonly logs: Map<string, string>;
  readonly writes: { readonly number: number; readonly write: RemoteWrite }[];
  /** Somebody opens a pull request there, for a branch that is not here. */
  openPull(facts: Pick<FoundChange, "branch" | "title" | "body">): FoundChange;
  /** How often pull requests were read. */
  reads: number;
  /** Nothing can be read. */
  isDown: boolean;
}

/** A forge elsewhere in memory: branches are pushed to it, and it shows what a test makes happen there. */
export function createFakeForge(host: Host, repository: FakeRepository): ScmWorld & { readonly forge: FakeForge } {
  const here = createFakeScm(host, repository);
  const shown = new Map<number, Partial<ChangeObservation<string>>>();
  /** The commits that the checks of a report are about. */
  const checkedAt = new Map<number, string>();
  const { branches, openPull, claims } = createFakeClaims(repository, here.pulls);
  let clock = 0;
  const forge: FakeForge = {
    branches,
    logs: new Map(),
    writes: [],
    reads: 0,
    isDown: false,
    openPull,
    report: (number, facts) => {
      clock += 1;
      shown.set(number, { ...shown.get(number), version: String(clock).padStart(6, "0"), ...facts });
      if (facts.checks !== undefined) checkedAt.set(number, headOf(number));
    },
  };
  const headOf = (number: number): string => {
    const pull = here.pulls.find((one) => one.number === number);
    return forge.branches.get(pull?.branch ?? "") ?? pull?.head ?? "";
  };
  const see = (number: number): ChangeObservation<string> | null => {
    const pull = here.pulls.find((one) => one.number === number);
    if (pull === undefined) return null;
    const head = headOf(number);
    const seen = { ...EMPTY, number, head, baseHead: repository.head("main") ?? "", ...shown.get(number) };
    return checkedAt.get(number) === head ? seen : { ...seen, checks: [] };
  };
  const remote: RemoteForge = {
    claims,
    fetchBase: async () => {
      if (forge.isDown) throw new Error("the forge is down");
    },
    publish: async (request) => push(repository, branches, request),
    readChanges: async (_project, changes) => {
      forge.reads += 1;
      if (forge.isDown) throw new Error("the forge is down");
      return changes.flatMap(({ number }) => see(number) ?? []);
    },
    readCheckLog: async (_project, { ref }) => forge.logs.get(ref) ?? null,
    write: async ({ number, write }) => {
      const isKnown = forge.writes.some((one) => one.number === number && one.write.id === write.id);
      if (!isKnown) forge.writes.push({ number, write });
    },
  };
  const scm: Scm = {
    ...here.scm,
    remote,
    ensureChange: async (request) => {
      const opened = await here.scm.ensureChange(request);
      forge.branches.set(request.branch, request.head);
      return { ...opened, url: `https://forge.test/pull/${opened.number}` };
    },
  };
  return { ...here, scm, forge };
}

function push(
  repository: FakeRepository,
  branches: Map<string, string>,
  { branch, head, published }: PublishRequest,
): PublishAnswer {
  const there = branches.get(branch) ?? null;
  const isContained = there !== null && repository.history(head).some(({ id }) => id === there);
  if (there !== null && there !== published && !isContained) return { kind: "diverged", head: there };
  branches.set(branch, head);
  return { kind: "published" };
}

function createFakeClaims(
  repository: FakeRepository,
  pulls: FakePull[],
): Pick<FakeForge, "branches" | "openPull"> & { readonly claims: ForgeClaims } {
  const branches = new Map<string, string>();
  const opened = new Map<number, FoundChange>();
  return {
    branches,
    openPull: (facts) => {
      const number = pulls.length + 1;
      pulls.push({ number, branch: facts.branch, head: branches.get(facts.branch) ?? "" });
      const found: FoundChange = { ...UNCLAIMED, number, url: `https://forge.test/pull/${number}`, ...facts };
      opened.set(number, found);
      return found;
    },
    claims: {
      find: async (_project, number) => opened.get(number) ?? null,
      fetchBranch: async (_project, branch) => {
        const head = branches.get(branch) ?? "";
        repository.setHead(branch, head);
        return head;
      },
    },
  };
}

const UNCLAIMED = { author: "bob", base: "main", state: "open", isFork: false } as const;

const EMPTY: Omit<ChangeObservation<string>, "number" | "head" | "baseHead"> = {
  version: "",
  state: "open",
  by: null,
  mergeCommit: null,
  checks: [],
  reviews: [],
  labels: [],
  required: [],
  blocked: null,
};
