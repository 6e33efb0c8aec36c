import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { FleetView } from "../../src/protocol/views/fleet.ts";
import type { SessionDetailView, SessionView } from "../../src/protocol/views/session.ts";
import { boardFleet } from "./board-fleet.ts";

export interface BoardServer {
  /** Write requests it received: `POST /api/sessions/shop-101/permission {"choice":"allow"}`. */
  readonly asked: readonly string[];
  /** Replaces the sessions; listeners get an event. */
  show(sessions: readonly SessionDetailView[], fleet?: Partial<FleetView>): void;
  close(): Promise<void>;
}

/** Speaks the daemon's protocol on the socket of an AO_HOME, for fleets too large to be real. */
export async function startBoardServer(home: string, first: readonly SessionDetailView[]): Promise<BoardServer> {
  let sessions = first;
  let fleet = boardFleet();
  const asked: string[] = [];
  const listeners = new Set<ServerResponse>();
  const answer = (path: string): unknown => {
    const [, id = "", rest = ""] = /^\/api\/sessions\/([^/]+)(\/.*)?$/.exec(path) ?? [];
    const session = sessions.find((one) => one.id === id);
    if (path === "/healthz") return { ok: true, version: "0", pid: process.pid, url: null, socket: "", trouble: null };
    if (path === "/api/sessions") return { data: sessions, fleet };
    if (path === "/api/projects")
      return { data: ["shop", "site"].map((name) => ({ id: name, path: `/work/${name}` })) };
    if (path === "/api/agents") return { data: [], variables: [] };
    if (rest === "/diff") return { diff: "diff --git a/a.ts b/a.ts\n@@ -1 +1 @@\n-\told\n+\tnew\u001b[2J\n" };
    if (rest === "/attach")
      return { command: { program: "sh", args: ["-c", "echo the terminal of $0; read line", id] } };
    if (rest === "/transcript") return { data: [], cursor: "1", older: null, over: false };
    return session;
  };
  const server = createServer(async (request, response) => {
    const path = (request.url ?? "").split("?")[0] ?? "";
    const body = await readAll(request);
    if (path === "/api/live") {
      listen(response, listeners);
      const since = Number(/[?&]since=(\d+)/.exec(request.url ?? "")?.[1] ?? 0);
      // Like the daemon, it first sends what happened since the list.
      if (since < fleet.position) response.write(toMessages(sessions, fleet));
      return;
    }
    if (request.method !== "GET") asked.push(`${request.method} ${path} ${body}`);
    const value = request.method === "GET" ? answer(path) : reply(path, sessions);
    response.writeHead(value === undefined ? 404 : 200, { "content-type": "application/json" });
    response.end(JSON.stringify(value ?? { code: "not-found", detail: `nothing at ${path}`, hint: null }));
  });
  await new Promise<void>((resolve) => server.listen(join(home, "ao.sock"), resolve));
  const close = async (): Promise<void> => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  onTestFinished(close);
  return {
    asked,
    show(next, changes = {}) {
      const before = sessions;
      sessions = next;
      fleet = boardFleet({ ...changes, position: fleet.position + 1 });
      const gone = before.filter(({ id }) => !next.some((one) => one.id === id));
      const messages = toMessages([...next, ...gone.map((one) => ({ ...one, removed: true as const }))], fleet);
      for (const one of listeners) one.write(messages);
    },
    close,
  };
}

// Enough of each answer for what the board says about it.
function reply(path: string, sessions: readonly SessionDetailView[]): unknown {
  const id = path.split("/")[3];
  const session = sessions.find((one) => one.id === id);
  if (path === "/api/sessions") return { ...sessions[0], id: "shop-new" };
  if (path.endsWith("/permission")) return { messageId: "m", choice: "" };
  if (path.endsWith("/message")) return { messageId: "m", sessionId: id };
  return session?.pullRequests[0] ?? session;
}

function toMessages(sessions: readonly SessionView[], fleet: FleetView): string {
  const changed = sessions.map((session) => `event: session\ndata: ${JSON.stringify(session)}\n\n`);
  return `${changed.join("")}id: ${fleet.position}\nevent: fleet\ndata: ${JSON.stringify(fleet)}\n\n`;
}

function listen(response: ServerResponse, listeners: Set<ServerResponse>): void {
  response.writeHead(200, { "content-type": "text/event-stream" });
  response.write(": hello\n\n");
  listeners.add(response);
  response.on("close", () => listeners.delete(response));
}

async function readAll(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("utf8");
}
