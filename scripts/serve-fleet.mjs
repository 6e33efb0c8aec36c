// Shared by the scripts that show the dashboard on a seeded fleet.
import { loadCompiled } from "./load-compiled.mjs";

/** Compiles test/support/serve-fleet.ts and gives its function. */
export async function loadServeFleet() {
  return (await loadCompiled("test/support/serve-fleet.ts")).serveFleet;
}
