import { expect, it, vi } from "vitest";
import { serveDaemon } from "../../../test/support/serve-daemon.ts";
import { STREAMS } from "../../protocol/calls/streams.ts";
import { runCommand } from "../run-command.ts";
import { command } from "./api.ts";

async function run(method: string, path: string, data: readonly string[] = []): Promise<void> {
  const out = vi.spyOn(process.stdout, "write").mockReturnValue(true);
  try {
    await runCommand(command, [method, path, ...data]);
  } finally {
    out.mockRestore();
  }
}

const paths = Object.keys(STREAMS).map((call) => call.replace("GET ", ""));

it.each([...paths, "/events", "events?since=3", "/live", "/events?follow=1"])(
  "refuses GET %s, which never ends",
  async (path) => {
    const asked = await serveDaemon(() => ({ status: 200, body: {} }));
    await expect(run("get", path)).rejects.toMatchObject({
      code: "usage",
      hint: expect.stringContaining("ao events --follow --json"),
    });
    expect(asked).toEqual([]);
  },
);

it.each([
  ["/events?follow=0", []],
  ["/events?since=3&follow=false", []],
  ["/events", ["-d", '{"follow":false}']],
])("sends GET %s %j, which ends at the end of the log", async (path, data) => {
  const asked = await serveDaemon(() => ({ status: 200, body: {} }));
  await run("GET", path, data);
  expect(asked).toEqual(["GET /api/events"]);
});
