import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { ChangeState } from "../../src/core/change/state.ts";
import { createNodeHost } from "../../src/platform/host.ts";
import { createSilentLog } from "../../src/platform/log.ts";
import { githubScm } from "../../src/plugins/scm/github/github.ts";
import type { Clock, Host } from "../../src/ports/host.ts";
import type { RemoteForge, Scm } from "../../src/ports/scm.ts";
import type { Loaded, Store } from "../../src/ports/store.ts";
import { aCreate } from "../../src/testing/builders.ts";
import { type EngineBed, openEngineBed } from "../../src/testing/engine-bed/engine-bed.ts";
import { FORGE_POLICY } from "../../src/testing/engine-bed/forge-story.ts";
import { createPerson, registerProject } from "../../src/testing/engine-bed/story.ts";
import { type FakeGithub, startFakeGithub } from "../../src/testing/fake-github/fake-github.ts";
import type { FakeRepository } from "../../src/testing/fake-github/scripts.ts";
import { createMemoryStore } from "../../src/testing/memory-store.ts";

const MINUTE = 60_000;

/** Many open pull requests on the fake GitHub, in several repositories, watched by the real engine through the real plugin. */
export interface ForgeFleet {
  readonly bed: EngineBed;
  readonly github: FakeGithub;
  /** The first one has the pull request of a live agent, number 1. */
  readonly repositories: readonly FakeRepository[];
  /** Programs that were started to watch them. */
  readonly started: readonly string[];
  /** Reports something about pull requests of the first repository, or about each repository as a whole. */
  deliver(numbers?: readonly number[]): void;
  close(): Promise<void>;
}

interface Place {
  readonly repository: FakeRepository;
  readonly remote: RemoteForge;
}

/** Opens it and lets some quiet minutes pass. */
export async function openForgeFleet(options: {
  readonly folder: string;
  readonly pullRequests: number;
  readonly repositories: number;
}): Promise<ForgeFleet> {
  const memory = createMemoryStore();
  const places: Place[] = [];
  const store: Store = { ...memory, load: async () => spread(await memory.load(), places) };
  const bed = await openEngineBed({ isRemote: true, store, ports: ({ scm }) => ({ scm: through(scm, places) }) });
  const change = await openFirst(bed);
  bed.kill();
  const { clock } = bed.world;
  const github = await startFakeGithub({ folder: options.folder, now: clock.now });
  const started: string[] = [];
  const host = watchedHost(github.token, clock, started);
  for (let at = 0; at < options.repositories; at += 1) {
    places.push({ repository: github.createRepository(`octo/repo-${at}`), remote: remoteOf(github, host, at) });
  }
  for (let n = 0; n < options.pullRequests; n += 1) {
    // The first repository has only the agent's own pull request; the others are only watched.
    const { repository } = (n === 0 ? places[0] : places[1 + (n % (places.length - 1))]) as Place;
    const branch = n === 0 ? change.branch : `work-${n}`;
    setBranch(repository, branch, n === 0 ? change.head : String(n).padStart(40, "0"));
    await repository.openPull({ title: `Pull ${n}`, head: branch });
  }
  await bed.restart();
  await bed.advance(3 * MINUTE);
  const repositories = places.map(({ repository }) => repository);
  const deliver = (numbers?: readonly number[]): void => {
    for (const repository of numbers === undefined ? repositories : repositories.slice(0, 1)) {
      const page = `${github.url}/${repository.fullName}`;
      const about = { numbers: numbers ?? [], commits: [], branches: [], isAboutAll: false };
      bed.engine.report({ repository: page, ...about });
    }
  };
  const close = async (): Promise<void> => {
    await bed.engine.close();
    await github.close();
  };
  return { bed, github, repositories, started, deliver, close };
}

/** A session with a pull request and an idle agent. */
async function openFirst(bed: EngineBed): Promise<ChangeState> {
  const person = createPerson(bed);
  await registerProject(person);
  // Requests are counted from a red check to its message, without a second run of CI.
  const policy = { ...FORGE_POLICY, reruns: 0 };
  await person.command({ type: "project.policy", id: "demo", policy }, "policy of the forge");
  bed.world.tracker.add({ title: "Fix it", body: "", labels: [], dependsOn: [], state: "open" });
  const prompt = { inline: "!commit made.txt" };
  await person.command(aCreate({ issue: "1", prompt, messageId: "m-task" }), "create");
  await person.until("the pull request", () => person.change()?.forge !== undefined);
  await person.until("an agent at rest", () => person.session()?.activity.state === "idle");
  return person.change() as ChangeState;
}

function watchedHost(token: string, clock: Clock, started: string[]): Host {
  const host = createNodeHost({ log: createSilentLog(), env: { GITHUB_TOKEN: token } });
  const exec: Host["exec"] = (call) => {
    started.push(call.program);
    return host.exec(call);
  };
  return { ...host, clock, exec };
}

function remoteOf(github: FakeGithub, host: Host, at: number): RemoteForge {
  const config = githubScm.config.parse({ repo: `octo/repo-${at}`, baseUrl: github.url });
  const { remote } = githubScm.create(config, host, { home: "/", projectPath: "/" });
  if (remote === undefined) throw new Error("GitHub is a forge elsewhere");
  return remote;
}

// A branch without a repository's objects: nobody fetches it here.
function setBranch({ record }: FakeRepository, branch: string, head: string): void {
  const file = join(record.gitDir, "refs/heads", branch);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `${head}\n`);
}

// Reads and pushes both go to GitHub, so that both agree on the commit.
function through(scm: Scm, places: readonly Place[]): Scm {
  const { remote } = scm;
  if (remote === undefined) return scm;
  const placeOf = (head: string): Place | undefined =>
    places.find(({ repository }) => [...repository.record.pulls.values()].some((pull) => pull.head === head));
  const own: RemoteForge = {
    ...remote,
    readChanges: async (project, changes) => {
      const seen = (placeOf(changes[0]?.head ?? "")?.remote ?? remote).readChanges(project, changes);
      // The base is the one here: GitHub has none, so that nothing is fetched.
      const baseHead = (await scm.readHead(project, project.defaultBranch)) ?? "";
      return (await seen).map((one) => ({ ...one, baseHead }));
    },
    readCheckLog: (project, check) => (places[0]?.remote ?? remote).readCheckLog(project, check),
    publish: async (request) => {
      const repository = places[0]?.repository;
      if (repository !== undefined) setBranch(repository, request.branch, request.head);
      await repository?.refresh();
      return remote.publish(request);
    },
  };
  return { ...scm, remote: own };
}

// The first pull request is where it was; the others are like it, each repository being a project.
function spread(loaded: Loaded, places: readonly Place[]): Loaded {
  const first = loaded.states.get("change:demo/1") as ChangeState | undefined;
  if (first === undefined) return loaded;
  const states = new Map(loaded.states);
  for (const [at, { repository }] of places.entries()) {
    for (const { number, head, headBranch: branch } of repository.record.pulls.values()) {
      const isFirst = at === 0 && number === 1;
      const projectId = at === 0 ? "demo" : `demo-${at}`;
      const key = `${projectId}/${number}`;
      const url = `${repository.cloneUrl.replace(/\.git$/, "")}/pull/${number}`;
      const own = isFirst ? {} : { projectId, key, number, branch, head, sessionId: null, issue: null };
      states.set(`change:${key}`, { ...first, ...own, url });
    }
  }
  return { ...loaded, states };
}
