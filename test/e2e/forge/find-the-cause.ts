import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect } from "vitest";
import type { SessionDetailView } from "../../../src/protocol/views/session.ts";
import { toldTo } from "../../support/loop.ts";
import { until } from "../../support/until.ts";
import { commit, on, scenes } from "../reactions/scenes.ts";
import { makeForgeLoop } from "./forge-loop.ts";
import type { CiCheck, LoopForge } from "./loop-forge.ts";

const ao = fileURLToPath(new URL("../../../dist/cli/ao.cjs", import.meta.url));

const OWN: Readonly<Record<string, CiCheck>> = {
  build: { onMain: true, first: false, again: false, log: "not ok 1 - total is the sum" },
};
const OTHERS: Readonly<Record<string, CiCheck>> = {
  broken: { onMain: false, first: false, again: false, log: "the server is down" },
  flaky: { onMain: true, first: false, again: true, log: "not ok 1 - opens in time" },
};

const SCRIPT = scenes(
  on("task", "", commit("a.txt", "WRONG\n")),
  on("message", "check `build`", commit("a.txt", "right\n")),
);

/**
 * CI of the forge is red for three reasons, of which one is the agent's: only this one wakes it, once, after the check ran again, and the
 * timeline says why the others did not.
 */
export async function findTheCause(forge: LoopForge): Promise<void> {
  const { fleet } = await makeForgeLoop(forge, { default: SCRIPT });
  forge.openIssue({ title: "Whose failure", text: "Please." });
  const { body: session } = await fleet.write<SessionDetailView>("POST", "/api/sessions", { issue: "1" }, "new");
  const env = { ...process.env, AO_HOME: fleet.home };
  const number = await until("the pull request", () => forge.pullNumbers()[0]);
  const wrong = forge.pull(number).head;
  const timeline = (): string =>
    execFileSync(process.execPath, [ao, "events", "--session", session.id], { env, encoding: "utf8" });
  forge.runCi(number, OTHERS);
  // Before there is another commit, for which they would run anew.
  await until("why the others do not wake the agent", () => timeline().match(/agent not woken/g)?.length === 2);
  forge.runCi(number, OWN);
  await until("the fix", () => forge.pull(number).head !== wrong);

  const told = toldTo(fleet, session.id).map(({ text = "" }) => text);
  expect(told).toHaveLength(1);
  expect(told[0]).toMatch(
    /^The check `build` .* failed .* It failed in both of 2 runs on this commit and passes on main/,
  );
  expect(told[0]).toContain("total is the sum");
  const events = timeline();
  expect(events).toMatch(/check `build` fails because of this pull request: it passes on \w+/);
  expect(events).toMatch(/check `broken` fails on the base too \(\w+\): agent not woken/);
  expect(events).toMatch(/check `flaky` is flaky, it passed when re-run: agent not woken/);
}
