import { createLoginLinks } from "../../src/auth/login-links.ts";
import { createTokens } from "../../src/auth/tokens.ts";
import type { Actions } from "../../src/server/actions.ts";
import type { Transport } from "../../src/server/app.ts";
import type { AuditRecord } from "../../src/server/audit.ts";
import { createServer, createSockets, type ServerOptions } from "../../src/server/create-server.ts";
import type { PageFile, PageFiles } from "../../src/server/page-files.ts";
import { aProject, aSession, aWorld } from "../../src/testing/builders.ts";
import { aChange, aCheckRun, aPolicy } from "../../src/testing/change-builders.ts";
import { createFakeClock } from "../../src/testing/fake-clock.ts";
import { createMemoryStore } from "../../src/testing/memory-store.ts";

export const EVIL = `<script>alert("1")</script>`;

function aFile(text: string, type: string): PageFile {
  const body = new TextEncoder().encode(text);
  return { body, gzip: new TextEncoder().encode(`zipped ${text}`), type, isImmutable: type !== "text/html" };
}

const PAGE: PageFiles = {
  read: (path) => (path === "/assets/index-1.js" ? aFile("code", "text/javascript") : null),
  shell: () => aFile("<!doctype html>", "text/html"),
};

/** A server over a world that does not change. */
/** What the health of this server says about folders and sessions. */
export const DETAILS = {
  socket: "/home/me/.agent-orchestrator/ao.sock",
  trouble: "/home/me/.agent-orchestrator/ao.db cannot be written",
  warning: "The store had lost 1 session: demo-1.",
};

export function aServer(more: Partial<ServerOptions> = {}) {
  const audited: AuditRecord[] = [];
  const session = aSession({ id: "demo-1", title: EVIL, activity: { state: "idle" } });
  const change = aChange({
    sessionId: "demo-1",
    title: EVIL,
    checks: { unit: aCheckRun({ state: "failed", log: { inline: EVIL } }) },
  });
  const world = aWorld({ sessions: [session], changes: [change], projects: [aProject({ policy: aPolicy() })] });
  const moves: unknown[] = [];
  const actions = {
    engine: {
      world,
      lastPosition: () => 0,
      revision: () => 0,
      warnings: () => [],
      refresh: async () => undefined,
      subscribe: () => () => undefined,
    },
    store: createMemoryStore(),
    pullRequests: { textOf: async (text: { inline: string }) => text.inline },
    projectProblem: () => null,
    moveSession: async (...call: readonly unknown[]) => void moves.push(call),
    interrupt: async (id: string, { key }: { key?: string }) => ({ messageId: `${id} by ${key}` }),
    health: () => ({ ok: true, version: "1", pid: 1, url: "http://localhost:3000", ...DETAILS }),
  } as unknown as Actions;
  const clock = createFakeClock(0);
  const options = {
    actions,
    passedThrough: {} as ServerOptions["passedThrough"],
    tokens: createTokens({ main: "ao_main", load: () => [], save: () => undefined }),
    links: createLoginLinks({ now: clock.now, load: () => [], save: () => undefined }),
    page: PAGE,
    allowedHosts: () => ["localhost"],
    log: {
      error: () => undefined,
      warn: () => undefined,
    } as never,
    ...more,
    audit: { record: (record: AuditRecord) => void audited.push(record), read: () => [] },
  };
  const handle = createServer(options);
  const sockets = createSockets(options, {
    fs: { stat: async () => null, readBytes: async () => null, watch: () => () => undefined },
    currentRun: async () => null,
  });
  const ask = async (path: string, init: RequestInit = {}, transport: Transport = "tcp"): Promise<Response> =>
    handle(
      new Request(`http://localhost:3000${path}`, { ...init, headers: { host: "localhost:3000", ...init.headers } }),
      transport,
    );
  const newLink = async (body = {}): Promise<string> => {
    const answer = await ask("/api/link", { method: "POST", body: JSON.stringify(body) }, "socket");
    const { url } = (await answer.json()) as { url: string };
    return url.replace("http://localhost:3000", "");
  };
  const logIn = async (): Promise<string> => {
    const answer = await ask(await newLink());
    return answer.headers.get("set-cookie")?.split(";")[0] ?? "";
  };
  return { handle, sockets, ask, newLink, logIn, clock, moves, audited };
}
