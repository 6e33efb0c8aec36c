import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";

/** A folder that goes away with the test. */
export function tempDir(prefix = "ao-test-"): string {
  const path = realpathSync(mkdtempSync(join(tmpdir(), prefix)));
  // What was just killed may still write.
  onTestFinished(() => rmSync(path, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 }));
  return path;
}
