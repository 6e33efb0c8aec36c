import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { CheckLogView } from "../../../src/protocol/views/pull-request.ts";
import { until, untilSeen } from "../../support/until.ts";
import { main, type Typed } from "./shell.ts";
import { makeTeam, type Team } from "./team.ts";

/** Set-up and command each wait for a file, so that the test can look at them as long as it wants, unless it fails. */
const wait = (name: string): string => `until test -e "$HOME/${name}" || test ! -d "$HOME"; do sleep 0.05; done`;
const unit = {
  setup: `echo installing; ${wait("installed")}`,
  run: `echo testing; ${wait("tested")}; sh check.sh`,
};

/** A command that runs until the test ends it. */
function begin(
  { repo, shell }: Team,
  ...args: string[]
): { interrupt(): void; shown(): string; readonly end: Promise<Typed> } {
  const child = spawn(process.execPath, [main, ...args], {
    cwd: repo,
    env: shell.env,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let out = "";
  let err = "";
  child.stdout.on("data", (chunk: Buffer) => (out += chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => (err += chunk.toString()));
  const end = new Promise<Typed>((resolve) => child.once("close", (code) => resolve({ code, out, err })));
  return { interrupt: () => child.kill("SIGINT"), shown: () => out, end };
}

it("a running check shows its phase, even after a daemon restart, and its log", async () => {
  const team = await makeTeam({ project: { checks: { unit }, policies: { approvals: 0 } } });
  const { shell, pull } = team;
  const release = (name: string): void => writeFileSync(join(shell.env["HOME"] ?? "", name), "");
  const reach = (phase: string): Promise<unknown> =>
    until(`the phase ${phase}`, async () => {
      const found = (await shell.ao("pr", "show", "web-fine", "--json")).out;
      return found.includes(`"phase":"${phase}"`);
    });
  await shell.ok("new", "fine");
  await reach("set-up");
  expect(await shell.ok("pr", "show", "1")).toMatch(
    /status +checks-running +check `unit` running: set-up[\s\S]*checks +running +unit +set-up, \d+ s/,
  );
  await untilSeen("the log", async () => (await shell.ao("pr", "show", "1", "--log", "unit")).out === "installing\n");

  const merging = begin(team, "merge", "1");
  await until("the merge to be requested", async () => (await pull("1")).mergeRequest !== null);
  merging.interrupt();
  const interrupted = await merging.end;
  expect(interrupted).toMatchObject({ code: 130, out: "" });
  expect(interrupted.err).toMatch(/merge of #1 is still requested and happens once this clears: check `unit` running/);
  expect(interrupted.err).toContain("ao merge --cancel web-fine");
  expect(await shell.ok("merge", "--cancel", "web-fine")).toBe("cancelled the merge of #1\n");

  await shell.ok("stop");
  await reach("set-up");
  const watching = begin(team, "pr", "checks", "1", "--watch");
  const leaving = begin(team, "pr", "checks", "1", "-w");
  await until("the watcher to see the set-up", () => watching.shown().includes("installing"));
  release("installed");
  await reach("run");
  await until("the command's log", async () =>
    (await shell.ok("pr", "show", "1", "--log", "unit")).includes("testing"),
  );
  leaving.interrupt();
  expect(await leaving.end).toMatchObject({ code: 130, err: expect.stringContaining("checks of #1 keep running") });
  const path = "/api/pull-requests/web/1/checks/unit/log";
  const first: CheckLogView = JSON.parse(await shell.ok("api", "GET", path));
  expect(first).toMatchObject({ state: "running", phase: "run" });
  await until("the watcher to see the command", () => watching.shown().includes("testing"));
  release("tested");

  const watched = await watching.end;
  expect(watched).toMatchObject({ code: 0, err: "" });
  expect(watched.out.split("\n")).toEqual([
    "unit: running (set-up)",
    "unit | installing",
    "unit: running",
    "unit | testing",
    "unit | the sum is right",
    "unit: passed",
    "",
  ]);
  const rest: CheckLogView = JSON.parse(await shell.ok("api", "GET", `${path}?cursor=${first.cursor}`));
  expect(rest).toMatchObject({ state: "passed", phase: null, log: "the sum is right\n" });
  expect(await shell.ok("pr", "checks", "1")).toMatch(/^passed +unit +\d+\.\ds\n$/);
  expect((await pull("1")).status).toBe("mergeable");
});

it("watching a failed check exits with code 1, unless the check is optional", async () => {
  const lint = { run: "exit 3", required: false };
  const { shell, untilStatus } = await makeTeam({
    hopeless: true,
    project: { checks: { lint, unit: { run: "exit 4" } } },
  });
  await shell.ok("new", "hopeless");
  await untilStatus("web-hopeless", "ci-failed");
  const red = await shell.ao("pr", "checks", "1", "-w");
  expect(red).toMatchObject({ code: 1, out: expect.stringContaining("unit: failed") });
  const { data } = JSON.parse((await shell.ao("pr", "checks", "1", "-w", "--json")).out);
  expect(data).toHaveLength(2);
});
