import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { promisify } from "node:util";
import axios from "axios";
import { OpenAPIClientAxios, type OpenAPIV3 } from "openapi-client-axios";
import { expect, it } from "vitest";
import { parseEvents } from "../../../src/cli/client/event-stream.ts";
import type { EventView } from "../../../src/protocol/views/event.ts";
import { makeTeam } from "../cli/team.ts";

const run = promisify(execFile);

it("a client generated from the document creates, watches and merges a session", async () => {
  const { aoHome, shell } = await makeTeam();
  const { url } = await shell.json<{ url: string }>("start", "--no-open", "--detach");
  const headers = { authorization: `Bearer ${readFileSync(join(aoHome, "token"), "utf8").trim()}` };
  const { data: definition } = await axios.get<OpenAPIV3.Document>(`${url}/api/openapi.json`, { headers });
  const api = new OpenAPIClientAxios({ definition, axiosConfigDefaults: { baseURL: url, headers } });
  const client = await api.init();

  const created = await client["postSessions"]?.({}, { projectId: "web", title: "fine", prompt: "fine" });
  expect(created).toMatchObject({ status: 201, data: { projectId: "web", title: "fine" } });
  const id = String(created?.data.id);

  const stream = await client["getEvents"]?.({ session: id, since: 0 }, null, { responseType: "stream" });
  const seen: string[] = [];
  for await (const event of parseEvents(stream?.data as Readable)) {
    const { type } = event.data as EventView;
    seen.push(type);
    if (type === "pull-request.opened") break;
  }
  expect(seen[0]).toBe("session.requested");

  expect((await client["postSessionsByIdApprove"]?.({ id }, { author: "ada" }))?.status).toBe(200);
  const merged = await client["postSessionsByIdMerge"]?.({ id }, { wait: true });
  expect(merged?.data).toMatchObject({ phase: "merged", sessionId: id });
});

it("curl lists, creates, watches, messages and stops a session with `ao token`", async () => {
  const { shell } = await makeTeam();
  const { url } = await shell.json<{ url: string }>("start", "--no-open", "--detach");
  const token = (await shell.ok("token")).trim();
  const curl = async (...args: readonly string[]): Promise<unknown> => {
    const { stdout } = await run("curl", ["-s", "-H", `Authorization: Bearer ${token}`, ...args]);
    return JSON.parse(stdout);
  };
  const json = ["-H", "Content-Type: application/json"];
  expect(await curl(`${url}/api/sessions`)).toMatchObject({ data: [] });
  const body = JSON.stringify({ projectId: "web", title: "Add user export feature" });
  const created = (await curl("-X", "POST", `${url}/api/sessions`, ...json, "-d", body)) as { id: string };
  const own = `${url}/api/sessions/${created.id}`;
  expect(await curl(`${own}/status`)).toMatchObject({ currentTask: "Add user export feature" });
  const message = JSON.stringify({ content: "Export to CSV format" });
  expect(await curl("-X", "POST", `${own}/message`, ...json, "-d", message)).toMatchObject({ sessionId: created.id });
  expect(await curl("-X", "DELETE", own)).toMatchObject({ id: created.id });
});
