import { homedir } from "node:os";
import { AoError } from "../core/errors.ts";
import { takeDaemonLock } from "../platform/daemon-lock.ts";
import { createNodeHost } from "../platform/host.ts";
import { createSilentLog } from "../platform/log.ts";
import { openSqliteStore } from "../platform/sqlite-store.ts";
import { homePaths } from "../protocol/home.ts";
import { describeFound, rebuildStore } from "./rebuild-store.ts";

/** `ao doctor --fix`: rebuilds a damaged store; leaves a sound one alone. */
async function main(): Promise<number> {
  const paths = homePaths({ env: process.env, userHome: homedir(), uid: process.getuid?.() ?? 0, cwd: process.cwd() });
  const lock = takeDaemonLock(paths.lock);
  if (lock === null) {
    console.error("error: A daemon is running, so ao does not touch its store.\nhint: Stop it with `ao stop` first.");
    return 1;
  }
  if (await isSound(paths.database)) {
    console.log("The store is sound; nothing to repair.");
    return 0;
  }
  const result = await rebuildStore(createNodeHost({ log: createSilentLog() }), paths);
  console.log(`Moved the damaged store to ${result.movedTo}.`);
  console.log(describeFound(result));
  for (const problem of result.problems) console.log(`Not found again: ${problem}`);
  console.log("Lost: waiting messages, the timeline, and everything queued. Running agents continue.");
  lock.release();
  return 0;
}

async function isSound(database: string): Promise<boolean> {
  try {
    const store = openSqliteStore(database, { checkWhole: true });
    await store.load();
    await store.close();
    return true;
  } catch (error) {
    if (error instanceof AoError && error.code === "store-corrupt") return false;
    if (error instanceof SyntaxError) return false;
    throw error;
  }
}

try {
  process.exitCode = await main();
} catch (error) {
  console.error(`error: ${error instanceof Error ? error.message : String(error)}`);
  if (error instanceof AoError && error.hint !== undefined) console.error(`hint: ${error.hint}`);
  process.exitCode = 1;
}
