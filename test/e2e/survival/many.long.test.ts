import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import type { ProblemView } from "../../../src/protocol/views/daemon.ts";
import type { SessionDetailView, SessionView } from "../../../src/protocol/views/session.ts";
import { isFull } from "../../../src/testing/full.ts";
import { git, writeFiles } from "../../../src/testing/git-repo.ts";
import { PATIENCE_MS } from "../../../src/testing/patience.ts";
import { type Fleet, makeFleet, processesOf } from "../../support/fleet.ts";
import { until } from "../../support/until.ts";
import { ao } from "./ao.ts";
import { open, printed, reach } from "./session.ts";

// More than are created in parallel, so that some queue; a hundred in the full run.
const MANY = isFull ? 100 : 24;
const lightAgent = { command: [fileURLToPath(new URL("../../fixtures/bin/light-agent.sh", import.meta.url))] };

async function listSessions(fleet: Fleet): Promise<readonly SessionView[]> {
  return (await fleet.api<{ data: readonly SessionView[] }>("GET", "/api/sessions")).body.data;
}

function create(fleet: Fleet, body: object): Promise<{ status: number; body: SessionDetailView }> {
  return fleet.api<SessionDetailView>("POST", "/api/sessions", body);
}

function findLocks(folder: string): readonly string[] {
  return (readdirSync(folder, { recursive: true }) as string[]).filter((name) => name.endsWith(".lock"));
}

describe(`${MANY} sessions requested at once`, () => {
  it("all start, each on its own branch, and one command ends them all without a trace", async () => {
    const fleet = await makeFleet({ agentConfig: lightAgent, machine: { limits: { parallelAgents: 200 } } });
    await open(fleet);
    writeFiles(fleet.repo, { "README.md": "# edited by the user\n", "mine.txt": "untracked\n" });
    const checkout = (): string => git(fleet.repo, "status", "--porcelain", "--branch") + git(fleet.repo, "diff");
    const before = checkout();

    const titles = Array.from({ length: MANY }, (_, index) => `task ${index}`);
    const answers = await Promise.all(titles.map((title) => create(fleet, { title, prompt: title })));
    expect(answers.filter(({ status }) => status !== 201)).toEqual([]);
    await until(
      "every agent to be done",
      async () => (await listSessions(fleet)).filter(({ status }) => status === "idle").length === MANY,
      PATIENCE_MS,
    );
    const sessions = await listSessions(fleet);
    for (const { id } of sessions) expect(printed(fleet, id, 1).match(/"received"/g)).toHaveLength(1);
    expect(new Set(sessions.map((session) => session.branch)).size).toBe(MANY);
    expect(new Set(sessions.map((session) => session.workspacePath)).size).toBe(MANY);
    for (const { workspacePath } of sessions) expect(statSync(join(workspacePath ?? "", "README.md")).size).toBe(9);
    expect(git(fleet.repo, "worktree", "list").trim().split("\n")).toHaveLength(MANY + 1);
    expect(git(fleet.repo, "fsck", "--strict", "--no-dangling")).toBe("");
    expect(findLocks(join(fleet.repo, ".git"))).toEqual([]);
    expect(checkout()).toBe(before);

    expect((await ao(fleet, "stop", "--project", "demo", "--all")).trim().split("\n")).toHaveLength(MANY);
    expect(await listSessions(fleet)).toEqual([]);
    expect(processesOf(fleet.home)).toEqual([]);
    expect(git(fleet.repo, "worktree", "list").trim().split("\n")).toHaveLength(1);
    expect(existsSync(join(fleet.repo, ".worktrees")) ? readdirSync(join(fleet.repo, ".worktrees")) : []).toEqual([]);
    expect(git(fleet.repo, "branch", "--list", "agent/*").trim().split("\n")).toHaveLength(MANY);
    expect(git(fleet.repo, "fsck", "--strict", "--no-dangling")).toBe("");
    expect(findLocks(join(fleet.repo, ".git"))).toEqual([]);
    expect(checkout()).toBe(before);
  });
});

describe("a task", () => {
  it("requested twice at the same moment gets one session; the other caller learns its name", async () => {
    const fleet = await makeFleet({ agentConfig: lightAgent });
    await open(fleet);
    const answers = await Promise.all([1, 2, 3, 4].map(() => create(fleet, { issue: "7", title: "seventh" })));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409]);
    const won = answers.find(({ status }) => status === 201)?.body;
    const lost = answers.filter(({ status }) => status === 409).map(({ body }) => body as unknown as ProblemView);
    for (const problem of lost) {
      expect(problem).toMatchObject({ code: "task-taken", detail: expect.stringContaining(won?.id ?? "?") });
    }
    await reach(fleet, won?.id ?? "", "idle", (session) => session.agentStatus === "idle");
    expect(await listSessions(fleet)).toHaveLength(1);
  });
});

/** Confirms its task and works on it forever. */
const busyAgent = {
  command: [
    "sh",
    "-c",
    `while IFS= read -r line; do id=\${line#*'"id":"'}; printf '{"type":"received","id":"%s"}\\n' "\${id%%'"'*}"; done`,
  ],
};

describe("a limit of 2", () => {
  it("queues the others, starts them in order as others stop, and yields to --now", async () => {
    const fleet = await makeFleet({ agentConfig: busyAgent, machine: { limits: { parallelAgents: 2 } } });
    await open(fleet);
    const ids: string[] = [];
    for (const title of ["a", "b", "c", "d", "e"]) {
      const said = JSON.parse(await ao(fleet, "new", title, "--json")) as SessionDetailView;
      ids.push(said.id);
      expect(said.status === "queued", `${title}: ${said.status}`).toBe(ids.length > 2);
    }
    const queued = async (): Promise<readonly string[]> =>
      (await listSessions(fleet)).filter(({ status }) => status === "queued").map(({ id }) => id);
    const working = (id: string): Promise<SessionDetailView> =>
      reach(fleet, id, "working", ({ agentStatus }) => agentStatus === "working");
    const [a, b, c, d, e] = ids as [string, string, string, string, string];
    expect(await queued()).toEqual([c, d, e]);
    expect(await ao(fleet, "status", c)).toContain(`2 of 2 agents busy: ${a}, ${b}; \`ao restore ${c} --now\``);
    expect(existsSync(join(fleet.repo, ".worktrees", "c"))).toBe(false);

    await ao(fleet, "new", "urgent", "--now");
    await working("demo-urgent");
    expect(await queued()).toEqual([c, d, e]);
    await ao(fleet, "stop", "demo-urgent");
    expect(await queued()).toEqual([c, d, e]);
    await ao(fleet, "stop", b);
    await working(c);
    expect(await queued()).toEqual([d, e]);
    await ao(fleet, "restore", e, "--now");
    await working(e);
    await ao(fleet, "stop", a);
    await fleet.kill();
    await fleet.start();
    expect(await queued()).toEqual([d]);
    await ao(fleet, "stop", c);
    await working(d);
    expect(await queued()).toEqual([]);
  });
});
