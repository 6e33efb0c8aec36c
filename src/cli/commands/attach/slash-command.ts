import type { Client } from "../../client/client.ts";
import type { Style } from "../../views/style.ts";
import { visibleLine } from "../../views/visible.ts";
import { colorDiff } from "../diff.ts";

const MAX_DIFF_LINES = 200;

const HELP = [
  "/interrupt  end the turn that runs; the agent stays",
  "/diff       changes against the base branch",
  "/quit       detach; the agent keeps running (also Ctrl+C, Ctrl+D)",
  "//text      send a message that begins with /",
];

/** Runs a command typed next to a conversation; null: the person wants to leave. */
export async function runSlashCommand(
  client: Client,
  id: string,
  { text, paint }: { readonly text: string; readonly paint: Style },
): Promise<readonly string[] | null> {
  switch (text.trim()) {
    case "/quit":
    case "/exit":
      return null;
    case "/help":
    case "/?":
      return HELP.map(paint.dim);
    case "/interrupt":
      await client.call("POST /api/sessions/:id/interrupt", { params: { id } });
      return [];
    case "/diff":
      return showDiff(client, id, paint);
    default:
      return [paint.yellow(`unknown command ${visibleLine(text)}`), ...HELP.map(paint.dim)];
  }
}

async function showDiff(client: Client, id: string, paint: Style): Promise<readonly string[]> {
  const { diff } = await client.call("GET /api/sessions/:id/diff", { params: { id } });
  if (diff.trim() === "") return [paint.dim("no changes")];
  const lines = colorDiff(diff.trimEnd(), paint).split("\n");
  const left = lines.length - MAX_DIFF_LINES;
  return left <= 0 ? lines : [...lines.slice(0, MAX_DIFF_LINES), paint.dim(`… ${left} more lines (ao diff ${id})`)];
}
