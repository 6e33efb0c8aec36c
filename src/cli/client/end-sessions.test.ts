import { writeFileSync } from "node:fs";
import { expect, it } from "vitest";
import { AoError } from "../../core/errors.ts";
import { homePaths } from "../../protocol/home.ts";
import type { SessionView } from "../../protocol/views/session.ts";
import { tempDir } from "../../testing/temp.ts";
import type { Client } from "./client.ts";
import { endSessions } from "./end-sessions.ts";
import { silent } from "./while-answering.ts";

const session = (id: string): SessionView =>
  ({ id, status: "working", createdAt: "2026-01-01T00:00:00Z" }) as SessionView;

/** The error for a daemon that this process acts as: it runs. */
function tooBusy(): AoError {
  const home = tempDir();
  const paths = homePaths({ env: { AO_HOME: home }, userHome: home, uid: 0, cwd: "/" });
  writeFileSync(paths.daemon, JSON.stringify({ pid: process.pid }));
  return silent(paths);
}

/** A daemon that takes the n-th request unless this returns an error. */
function clientOf(running: Set<string>, failure: (at: number) => Error | null): Client {
  let requests = 0;
  const call = async (name: string, options?: { readonly params?: { readonly id: string } }): Promise<unknown> => {
    requests += 1;
    const error = failure(requests);
    if (error !== null) throw error;
    if (name.startsWith("GET")) return { data: [...running].map(session), fleet: {} };
    running.delete(options?.params?.id ?? "");
    return {};
  };
  return { call } as never;
}

it("asks again if the daemon was too busy to answer", async () => {
  const running = new Set(["web-1", "web-2", "web-3"]);
  const busy = tooBusy();
  const client = clientOf(running, (at) => (at % 2 === 1 && at < 8 ? busy : null));
  const ended = await endSessions(client, [...running].map(session));
  expect(ended.map(({ id }) => id).sort()).toEqual(["web-1", "web-2", "web-3"]);
  expect(running.size).toBe(0);
});

it("does not wait for a daemon that is gone", async () => {
  const gone = new AoError({ code: "daemon-unreachable", message: "the daemon is not running" });
  const client = clientOf(new Set(["web-1"]), () => gone);
  await expect(endSessions(client, [session("web-1")])).rejects.toThrow("the daemon is not running");
});
