import { isAbsolute, join } from "node:path";
import type { Host } from "../../../ports/host.ts";
import type { Card } from "./compose.ts";

/** A program that shows notifications: how to call it, and what it requires. */
export interface Program {
  readonly name: "osascript" | "notify-send";
  readonly path: string;
  argsFor(card: Card): readonly string[];
}

/** The first of our programs on PATH. Only macOS has osascript, and nothing else works there. */
export async function findProgram(host: Host): Promise<Program | null> {
  const osascript = await findOnPath(host, "osascript");
  if (osascript !== null) return { name: "osascript", path: osascript, argsFor: osascriptArgs };
  const notifySend = await findOnPath(host, "notify-send");
  return notifySend === null ? null : { name: "notify-send", path: notifySend, argsFor: notifySendArgs };
}

async function findOnPath(host: Host, name: string): Promise<string | null> {
  for (const folder of (host.env["PATH"] ?? "").split(":").filter(isAbsolute)) {
    const real = await host.fs.realPath(join(folder, name));
    const stat = real === null ? null : await host.fs.stat(real);
    if (stat?.kind === "file" && (stat.mode & 0o111) !== 0) return join(folder, name);
  }
  return null;
}

function notifySendArgs({ title, body, urgency }: Card): readonly string[] {
  return ["--app-name=ao", `--urgency=${urgency}`, "--", title, escapeBody(body)];
}

// A body is markup for the desktop, after notify-send itself has interpreted its backslashes; a title is plain.
function escapeBody(text: string): string {
  return text.replaceAll("\\", "\\\\").replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

const SCRIPT = ["on run argv", "display notification (item 3 of argv) with title (item 2 of argv)", "end run"];

// Texts are arguments of the script, never part of it. The word before them ends the options of osascript.
function osascriptArgs({ title, body }: Card): readonly string[] {
  return [...SCRIPT.flatMap((line) => ["-e", line]), "ao", title, body];
}
