import { expect, it } from "vitest";
import type { CostsView, SessionCostView } from "../../../src/protocol/views/cost.ts";
import { untilSeen } from "../../support/until.ts";
import { expectRefusal } from "./picture.ts";
import { makeTeam } from "./team.ts";

it("a person sees the cost by session, task, merged change, model and day, and which part is estimated", async () => {
  const { shell, untilStatus } = await makeTeam();
  expect(await shell.ok("cost")).toBe("no usage yet\n");
  await shell.ok("config", "set", "prices.house-model", "{ input: 1000, cachedInput: 100, output: 10000 }");
  await shell.ok("new", "A fine sum");
  await shell.ok("wait", "web-a-fine-sum", "--for", "pr", "--timeout", "60s");
  await untilStatus("web-a-fine-sum", "review-pending");
  expect(await shell.ok("cost", "--by", "pull-request")).toBe("no merged pull request has any usage\n");
  await shell.ok("approve", "web-a-fine-sum");
  await untilStatus("web-a-fine-sum", "mergeable");
  await shell.ok("merge", "web-a-fine-sum");
  for (const title of ["A sum", "Do nothing"]) await shell.ok("new", title);
  for (const id of ["web-a-sum", "web-do-nothing"]) await shell.ok("wait", id, "--for", "idle", "--timeout", "60s");

  const { out, err } = await shell.ao("cost");
  expect(out.split("\n")).toEqual([
    "SESSION            IN  CACHED  OUT              COST  TITLE",
    "web-a-fine-sum  1,000     200   50            ~$1.32  A fine sum",
    "web-a-sum         100       0   20             $0.25  A sum",
    "web-do-nothing      7       0    3           unknown  Do nothing",
    "total           1,107     200   73  ~$1.57 + unknown",
    "",
  ]);
  expect(err).toMatch(/^~ is estimated from list prices of .*\nunknown: 10 tokens .*\n$/);
  expect(await shell.ok("status", "web-a-fine-sum")).toContain("1000 tokens in (200 cached), 50 out, ~$1.32");
  expect(await shell.ok("cost", "--by", "change")).toMatch(/^MERGED .*\nweb\/1 .* ~\$1\.32 {2}A fine sum\ntotal .*\n$/);
  expect(await shell.ok("cost", "--by", "model")).toMatch(/house-model-2 +1,100 .* ~\$1\.57 +2\nnot named +7 /);
  const day = await shell.json<CostsView>("cost", "--by", "day", "--since", "1d");
  expect(day).toMatchObject({ by: "day", data: [{ sessions: 3, unpricedTokens: 10 }], total: { inputTokens: 1107 } });
  expect(await shell.json<SessionCostView>("cost", "web-a-sum")).toMatchObject({
    ...{ sessionId: "web-a-sum", costUsd: 0.25, estimatedUsd: 0 },
    models: [{ key: "house-model-2", costUsd: 0.25 }],
  });
  expect(await shell.ok("cost", "web-a-fine", "--by", "day")).toMatch(/^DAY .*\n\d{4}-\d\d-\d\d +1,000 /);
  expect(await shell.ok("cost", "--since", "2999-01-01")).toBe("no usage yet\n");

  await shell.ok("config", "set", "prices.house-model", "{ input: 2000, output: 10000 }");
  await untilSeen("the new price", async () => (await shell.ok("cost", "web-a-fine-sum")).includes("~$2.50"));
  expectRefusal("cost", await shell.ao("cost", "--by", "sesion"), /did you mean "session"/, 2);
  expectRefusal("cost", await shell.ao("cost", "web-a-sum", "--by", "task"), /--by model, day/, 2);
  expectRefusal("cost", await shell.ao("cost", "--since", "soon"), /--since is not a day: soon/, 2);
});
