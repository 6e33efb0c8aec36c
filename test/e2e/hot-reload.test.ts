import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parse, stringify } from "yaml";
import type { ProblemView } from "../../src/protocol/views/daemon.ts";
import type { InboxView } from "../../src/protocol/views/inbox.ts";
import type { ProjectView } from "../../src/protocol/views/project.ts";
import type { SessionDetailView, SessionView } from "../../src/protocol/views/session.ts";
import { type Fleet, makeFleet } from "../support/fleet.ts";
import { until } from "../support/until.ts";

async function statuses(fleet: Fleet): Promise<readonly string[]> {
  const { body } = await fleet.api<{ data: readonly SessionView[] }>("GET", "/api/sessions");
  return body.data.map(({ status }) => status);
}

async function inbox(fleet: Fleet): Promise<readonly InboxView[]> {
  return (await fleet.api<{ data: readonly InboxView[] }>("GET", "/api/inbox")).body.data;
}

describe("a configuration that changes while the daemon runs", () => {
  it("takes effect if it is valid; otherwise it is reported and the last valid one stays in use", async () => {
    const fleet = await makeFleet({ machine: { limits: { parallelAgents: 1 } } });
    const file = join(fleet.repo, "agent-orchestrator.yaml");
    await fleet.start();
    await fleet.api("POST", "/api/projects", { path: fleet.repo });
    // Only working agents hold a slot.
    const prompt = "!hang";
    for (const title of ["one", "two"]) await fleet.api("POST", "/api/sessions", { title, prompt, wait: true });
    expect(await statuses(fleet)).toContain("queued");

    const good = readFileSync(file, "utf8");
    writeFileSync(file, "projects: [oops\n");
    await until("the bad file to be reported", async () => (await inbox(fleet)).find(({ kind }) => kind === "config"));
    const other = await fleet.api<SessionDetailView>("POST", "/api/sessions", { title: "three", wait: true });
    expect(other.status).toBe(201);

    writeFileSync(file, good.replace("parallelAgents: 1", "parallelAgents: 3"));
    await until("room for all", async () => !(await statuses(fleet)).includes("queued"));
    expect(await inbox(fleet)).toEqual([]);
  });

  it("takes effect at the start of the daemon if none ran when it changed", async () => {
    const fleet = await makeFleet();
    const file = join(fleet.repo, "agent-orchestrator.yaml");
    await fleet.start();
    await fleet.api("POST", "/api/projects", { path: fleet.repo });
    const { data } = (await fleet.api<{ data: readonly ProjectView[] }>("GET", "/api/projects")).body;
    await fleet.kill();
    const { projects } = parse(readFileSync(file, "utf8"));
    const named = Object.entries<object>(projects).map(([id, project]) => [id, { ...project, sessionPrefix: "shop" }]);
    writeFileSync(file, stringify({ projects: Object.fromEntries(named) }));
    await fleet.start();
    const after = (await fleet.api<{ data: readonly ProjectView[] }>("GET", "/api/projects")).body.data;
    expect(after).toEqual(data.map((project) => ({ ...project, sessionPrefix: "shop" })));
  });

  it("names the unset variable where it would be used", async () => {
    const fleet = await makeFleet({ project: { env: { KEY: "$" + "{AO_TEST_NOT_SET}" } } });
    await fleet.start();
    await fleet.api("POST", "/api/projects", { path: fleet.repo });
    const refused = await fleet.api<ProblemView>("POST", "/api/sessions", { title: "one" });
    expect(refused.status).toBe(400);
    expect(refused.body.detail).toContain("AO_TEST_NOT_SET");
  });
});
