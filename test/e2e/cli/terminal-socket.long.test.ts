import { execFileSync } from "node:child_process";
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { WebSocket } from "ws";
import type { SessionDetailView } from "../../../src/protocol/views/session.ts";
import { type Fleet, makeFleet } from "../../support/fleet.ts";
import { hasTmux } from "../../support/pane.ts";
import { openViewer } from "../../support/terminal-viewer.ts";
import { until } from "../../support/until.ts";
import { endEverything } from "./shell.ts";

const title = `a terminal over a WebSocket${hasTmux ? "" : " (skipped: tmux is not installed)"}`;
/** Repeats what is typed, and prints numbered lines on demand. */
const ECHO = `
printf 'ready\\033]52;c;ZXZpbA==\\007\\n'
while IFS= read -r line; do
  case $line in
    count*) i=0; while [ $i -lt 300 ]; do i=$((i+1)); echo "line $i"; sleep 0.01; done ;;
    flood*) yes "0123456789012345678901234567890123456789" | head -c 3000000 ;;
    *) echo "heard $line" ;;
  esac
done
`;

async function begin(): Promise<{ readonly fleet: Fleet; readonly id: string }> {
  const fleet = await makeFleet({
    agentConfig: { command: ["sh", "-c", ECHO], interface: "terminal" },
    project: { runtime: { plugin: "tmux", quietMs: 60_000, settleMs: 50 } },
  });
  onTestFinished(() => endEverything(fleet.home));
  await fleet.start();
  await fleet.write("POST", "/api/projects", { path: fleet.repo });
  const { body } = await fleet.write<SessionDetailView>("POST", "/api/sessions", { title: "t", prompt: "task" });
  await until("the task to be typed", () => logOf(fleet, body.id).includes("heard task"));
  return { fleet, id: body.id };
}

function fileOf(fleet: Fleet, id: string): string {
  return join(fleet.home, "sessions", id, "runs/1/out");
}

/** The status with which a viewer with these headers is refused. */
function refusal(fleet: Fleet, id: string, headers: Record<string, string>): Promise<number> {
  return new Promise((resolve, reject) => {
    const ws = new WebSocket(`ws+unix://${fleet.socket}:/api/sessions/${id}/terminal`, { headers });
    ws.on("unexpected-response", (_, response) => resolve(response.statusCode ?? 0));
    ws.on("open", () => reject(new Error("it was let in")));
    ws.on("error", () => undefined);
  });
}

function logOf(fleet: Fleet, id: string): Buffer {
  try {
    return readFileSync(fileOf(fleet, id));
  } catch {
    return Buffer.alloc(0);
  }
}

function tmux(fleet: Fleet, ...args: readonly string[]): string {
  return execFileSync("tmux", ["-S", join(fleet.home, "tmux.sock"), ...args], { encoding: "utf8" });
}

describe.skipIf(!hasTmux)(title, () => {
  it("shows the screen, accepts keys and a size, holds back ao's own typing meanwhile, and refuses other sites", async () => {
    const { fleet, id } = await begin();
    const viewer = openViewer(fleet.socket, id);
    await viewer.see("heard task");
    expect(viewer.frames[0]).toEqual({ type: "input", allowed: true, reason: null });
    expect(viewer.screens()).toEqual(["first"]);
    viewer.resize(90, 30);
    await until("the new size", () => viewer.frames.some((one) => one.type === "size" && one.columns === 90));
    viewer.type("grüße\r");
    await viewer.see("heard grüße");
    viewer.type("half a li");
    await viewer.see("half a li");
    await fleet.write("POST", `/api/sessions/${id}/message`, { content: "glued" });
    await until("the message to wait", async () => {
      const { messages } = await fleet.session(id);
      return messages.some(({ reason }) => reason?.includes("typing") === true);
    });
    expect(viewer.text()).not.toContain("glued");
    const other = openViewer(fleet.socket, id);
    await other.see("heard gr");
    expect(tmux(fleet, "list-clients").trim().split("\n")).toHaveLength(1);
    expect(await refusal(fleet, id, { host: "localhost", origin: "https://evil.example" })).toBe(403);
    viewer.close();
    other.close();
    await until("the connection to end with its viewers", () => tmux(fleet, "list-clients").trim() === "");
  });

  it("resumes from the log after a daemon kill, and sends a slow viewer a fresh screen", async () => {
    const { fleet, id } = await begin();
    const viewer = openViewer(fleet.socket, id);
    await viewer.see("heard task");
    await until("the place of the screen", () => viewer.cursor() !== undefined);
    const from = Number(viewer.cursor()?.split(":")[1]);
    viewer.forget();
    viewer.type("count\r");
    await viewer.see("line 20");
    await fleet.kill();
    await viewer.closed;
    await until("the program to go on alone", () => logOf(fleet, id).includes("line 150"));
    await fleet.start();
    const again = openViewer(fleet.socket, id, viewer.cursor());
    await again.see("line 300");
    expect(again.screens()).toEqual([]);
    const shown = Buffer.concat([viewer.bytesBeforeCursor(), again.bytes()]);
    expect(shown.toString()).toBe(
      logOf(fleet, id)
        .subarray(from, from + shown.length)
        .toString(),
    );

    again.pause();
    again.type("flood\r");
    await until("the flood to be over", () => statSync(fileOf(fleet, id)).size > 3_000_000);
    expect((await fleet.api("GET", "/healthz")).status).toBe(200);
    again.type("after\r");
    await until("the program to go on", () => logOf(fleet, id).includes("heard after"));
    again.resume();
    await again.see("heard after");
    expect(again.screens()).toContain("behind");
  });
});
