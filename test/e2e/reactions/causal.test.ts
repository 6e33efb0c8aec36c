import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { makeLoop, toldTo } from "../../support/loop.ts";
import { until } from "../../support/until.ts";
import { commit, on, scenes } from "./scenes.ts";

const ao = fileURLToPath(new URL("../../../dist/cli/ao.cjs", import.meta.url));

const CHECKS = {
  test: { run: "sh check.sh" },
  broken: { run: "echo the server is down; exit 3" },
  // Red the first time on a commit of an agent.
  flaky: { run: '[ ! -e a.txt ] || [ -e "$AO_DIARY/$AO_COMMIT" ] || { touch "$AO_DIARY/$AO_COMMIT"; exit 4; }' },
  style: { run: "exit 5", required: false },
};

it("wakes an agent for its own failure once, not for one of main, a flake or an optional check, and the timeline says why", async () => {
  const fleet = await makeLoop({
    scripts: {
      default: scenes(
        on("task", "", commit("a.txt", "WRONG\n")),
        on("message", "check `test`", commit("a.txt", "right\n")),
      ),
    },
    checks: CHECKS,
  });
  await fleet.open();
  const { id } = await fleet.begin("1", "Whose failure");
  await until("the message about its own failure", () => toldTo(fleet, id).length > 0);
  await fleet.reach(1, "fixed", ({ checks }) =>
    checks.some(({ name, state }) => name === "test" && state === "passed"),
  );
  await fleet.reach(1, "green again", ({ checks }) =>
    checks.some(({ name, state }) => name === "flaky" && state === "passed"),
  );
  const shown = await fleet.reach(1, "compared with main", ({ evidence }) => evidence.includes("on main too"));
  expect(shown.evidence).toContain("optional check `style` failed");

  const told = toldTo(fleet, id).map(({ text = "" }) => text);
  expect(told).toHaveLength(1);
  expect(told[0]).toMatch(/^The check `test` .* failed with exit code 1 on commit \w+\. It failed in both of 2 runs/);
  expect(told[0]).toMatch(/passes on main \(\w+\)\.\n.*To reproduce it, run: sh check\.sh\n[\s\S]*WRONG is in: a\.txt/);

  const events = execFileSync(process.execPath, [ao, "events", "--session", id], {
    env: { ...process.env, AO_HOME: fleet.home },
    encoding: "utf8",
  });
  expect(events).toMatch(/check `test` fails because of this pull request: it passes on \w+/);
  expect(events).toMatch(/check `broken` fails on the base too \(\w+\): agent not woken/);
  expect(events).toMatch(/check `flaky` is flaky, it passed when re-run: agent not woken/);
  expect(events).toMatch(/check `style` is optional: agent not woken/);
});
