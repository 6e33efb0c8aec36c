import { statSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { interleave } from "../../testing/interleave.ts";
import { tempDir } from "../../testing/temp.ts";
import { makeFolder } from "./make-folder.ts";

test("creates a folder while another command creates it too", () => {
  const path = join(tempDir(), "above", "folder");
  const make = (): void => makeFolder(path);
  expect(() => interleave("mkdirSync", make, make)).not.toThrow();
  expect(statSync(path).mode & 0o777).toBe(0o700);
});
