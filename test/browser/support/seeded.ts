import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll } from "vitest";
import { removeFolder } from "../../../src/testing/temp.ts";
import { type ServedFleet, serveFleet } from "../../support/serve-fleet.ts";

const page = fileURLToPath(new URL("../../../dist/web", import.meta.url));

/** One seeded fleet for all tests of a file. */
export function useSeededFleet(count: number): () => ServedFleet {
  const home = mkdtempSync(join(tmpdir(), "ao-seeded-"));
  let fleet: ServedFleet;
  beforeAll(async () => {
    fleet = await serveFleet({ home, count, port: null, page });
  });
  afterAll(async () => {
    await fleet.close();
    removeFolder(home);
  });
  return () => fleet;
}
