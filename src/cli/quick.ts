import { fstatSync } from "node:fs";
import { sortSessions } from "../protocol/fleet-order.ts";
import type { HomePaths } from "../protocol/home.ts";
import { buildRequest } from "../protocol/request.ts";
import { sessionHere } from "./args/session-here.ts";
import { currentHome } from "./client/home.ts";
import { exchange } from "./client/http.ts";
import { type Listing, sessionLines } from "./views/session-lines.ts";
import { writeOut } from "./write-out.ts";

const PIPE = { isTTY: false };

/** A working daemon answers much sooner; the full program handles the others. */
const PATIENCE_MS = 2000;

/**
 * Prints the table of sessions. False, with nothing printed: something is unusual, and the full program has to handle
 * it.
 */
export async function main([name]: readonly string[]): Promise<boolean> {
  const paths = currentHome();
  const isDetail = name === "status" && sessionHere() !== null;
  if (isDetail || paths.socketFolder !== null || process.platform === "win32") return false;
  const listing = await fetchListing(paths.socket);
  if (listing === null) return false;
  await show(listing, paths);
  return true;
}

async function show(listing: Listing, paths: HomePaths): Promise<void> {
  // Only a terminal needs the stream, which knows its size.
  const output = fstatSync(1).isCharacterDevice() ? process.stdout : PIPE;
  const text = `${sessionLines(listing, {}, output).join("\n")}\n`;
  if (!output.isTTY) return writeOut(text);
  const { print } = await import("./views/print.ts");
  const { rememberRows } = await import("./views/rows.ts");
  print(text);
  rememberRows(
    paths,
    listing.data.map(({ id }) => id),
  );
}

async function fetchListing(socket: string): Promise<Listing | null> {
  try {
    const { status, text } = await exchange({
      socket,
      ...buildRequest("GET /api/sessions", {}, {}),
      timeoutMs: PATIENCE_MS,
    });
    if (status !== 200) return null;
    const { data, fleet } = JSON.parse(text) as Listing;
    return { data: sortSessions(data), fleet };
  } catch {
    return null;
  }
}
