import type { FoundChange } from "../../core/change/found-change.ts";
import type { ChangeObservation } from "../../core/change/observation.ts";
import { PluginError } from "../../core/errors.ts";
import type { Host } from "../../ports/host.ts";
import type { ForgeClaims, PublishAnswer, PublishRequest, RemoteForge, RemoteWrite, Scm } from "../../ports/scm.ts";
import { createFakeQueue, type FakeQueue } from "./queue.ts";
import type { FakeRepository } from "./repository.ts";
import { createFakeRevert } from "./revert.ts";
import { createFakeScm, type FakePull, type ScmWorld } from "./scm.ts";

/** What a test can do on the forge, and what it finds there. */
export interface FakeForge {
  /** The commits of its branches. */
  readonly branches: Map<string, string>;
  readonly protectedBranches: Set<string>;
  /** Changes what the forge shows about a pull request. */
  report(number: number, facts: Partial<ChangeObservation<string>>): void;
  /** Check logs by run id. */
  readonly logs: Map<string, string>;
  readonly writes: { readonly number: number; readonly write: RemoteWrite }[];
  /** Runs a check again; null: its checks come from a system that cannot. */
  rerun: ((number: number, ref: string) => void) | null;
  /** Someone opens a pull request there, for a branch that does not exist locally. */
  openPull(facts: Pick<FoundChange, "branch" | "title" | "body">): FoundChange;
  /** The status comment of each pull request, and how often one was written. */
  readonly statuses: Map<number, string>;
  statusWrites: number;
  /** The forge's merge queue. */
  readonly queue: FakeQueue;
  /** New pull requests are drafts. */
  opensDrafts: boolean;
  /** How often pull requests were read. */
  reads: number;
  /** Why nothing can be written or merged; null: everything works. */
  failure: PluginError | null;
  /** Every read fails. */
  isDown: boolean;
}

/** A remote forge in memory: branches are pushed to it, and it shows what a test makes happen there. */
export function createFakeForge(host: Host, repository: FakeRepository): ScmWorld & { readonly forge: FakeForge } {
  const here = createFakeScm(host, repository);
  const { branches, openPull, claims } = createFakeClaims(repository, here.pulls);
  const { report, see, shown } = createFakeShown(repository, { pulls: here.pulls, branches });
  const { queue, merge } = createFakeQueue(here.scm, report);
  const forge: FakeForge = {
    branches,
    protectedBranches: new Set(),
    logs: new Map(),
    writes: [],
    rerun: null,
    statuses: new Map(),
    statusWrites: 0,
    queue,
    opensDrafts: false,
    reads: 0,
    failure: null,
    isDown: false,
    openPull,
    report,
  };
  const remote = createFakeRemote({ repository, forge, claims, see });
  const scm: Scm = {
    ...here.scm,
    remote,
    ensureChange: async (request) => {
      const opened = await here.scm.ensureChange(request);
      forge.branches.set(request.branch, request.head);
      const isNew = shown(opened.number) === undefined;
      if (isNew) report(opened.number, { base: request.base, isDraft: forge.opensDrafts });
      const isDraft = forge.opensDrafts && shown(opened.number)?.isDraft === true;
      return { ...opened, url: `https://forge.test/pull/${opened.number}`, ...(isDraft ? { isDraft } : {}) };
    },
    merge: async (request) => {
      if (forge.failure !== null) throw forge.failure;
      return merge(request);
    },
    revert: createFakeRevert(repository, { pulls: here.pulls, branches }),
  };
  return { ...here, scm, forge };
}

interface RemoteParts {
  readonly repository: FakeRepository;
  readonly forge: FakeForge;
  readonly claims: ForgeClaims;
  see(number: number): ChangeObservation<string> | null;
}

function createFakeRemote({ repository, forge, claims, see }: RemoteParts): RemoteForge {
  const requireUp = (): void => {
    if (forge.isDown) throw new PluginError({ plugin: "fake", category: "unavailable", message: "the forge is down" });
  };
  return {
    claims,
    webhooksMissForks: true,
    isProtected: async (_project, branch) => {
      requireUp();
      return forge.protectedBranches.has(branch);
    },
    fetchBase: async () => requireUp(),
    publish: async (request) => push(repository, forge.branches, request),
    readChanges: async (_project, changes) => {
      forge.reads += 1;
      requireUp();
      return changes.flatMap(({ number }) => see(number) ?? []);
    },
    readCheckLog: async (_project, { ref }) => forge.logs.get(ref) ?? null,
    showStatus: async (_project, number, text) => {
      requireUp();
      forge.statusWrites += 1;
      forge.statuses.set(number, text);
    },
    write: async ({ number, write }) => {
      if (forge.failure !== null) throw forge.failure;
      const isKnown = forge.writes.some((one) => one.number === number && one.write.id === write.id);
      if (write.kind === "rerun" && !isKnown) runAgain(forge, number, write.ref);
      if (!isKnown) forge.writes.push({ number, write });
      if (write.kind === "label") {
        const others = (see(number)?.labels ?? []).filter((one) => ![...write.add, ...write.remove].includes(one));
        forge.report(number, { labels: [...others, ...write.add] });
      }
      if (write.kind === "ready") forge.report(number, { isDraft: false });
      if (write.kind === "dequeue") forge.queue.remove(number, "person");
    },
  };
}

function runAgain(forge: FakeForge, number: number, ref: string): void {
  if (forge.rerun === null)
    throw new PluginError({ plugin: "fake", category: "conflict", message: "it cannot run again" });
  forge.rerun(number, ref);
}

/** What the forge shows about its pull requests. */
function createFakeShown(
  repository: FakeRepository,
  { pulls, branches }: { readonly pulls: readonly FakePull[]; readonly branches: ReadonlyMap<string, string> },
): Pick<FakeForge, "report"> & {
  see(number: number): ChangeObservation<string> | null;
  /** What was reported about it, if anything. */
  shown(number: number): Partial<ChangeObservation<string>> | undefined;
} {
  const shown = new Map<number, Partial<ChangeObservation<string>>>();
  /** The commits that a report's checks are about. */
  const checkedAt = new Map<number, string>();
  let clock = 0;
  const headOf = (number: number): string => {
    const pull = pulls.find((one) => one.number === number);
    return branches.get(pull?.branch ?? "") ?? pull?.head ?? "";
  };
  return {
    shown: (number) => shown.get(number),
    report: (number, facts) => {
      clock += 1;
      shown.set(number, { ...shown.get(number), version: String(clock).padStart(6, "0"), ...facts });
      if (facts.checks !== undefined) checkedAt.set(number, headOf(number));
    },
    see: (number) => {
      if (!pulls.some((one) => one.number === number)) return null;
      const head = headOf(number);
      const seen = { ...EMPTY, number, head, baseHead: repository.head("main") ?? "", ...shown.get(number) };
      return checkedAt.get(number) === head ? seen : { ...seen, checks: [] };
    },
  };
}

function push(
  repository: FakeRepository,
  branches: Map<string, string>,
  { branch: own, head, published, fork }: PublishRequest,
): PublishAnswer {
  const branch = fork?.branch ?? own;
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
      fetchBranch: async (_project, branch, ref) => {
        const claimed = [...opened.values()].find((one) => one.ref !== undefined && one.ref === ref);
        const head = branches.get(claimed?.branch ?? branch) ?? "";
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
