import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { normalize } from "./normalize.ts";
import { parseConfig } from "./parse.ts";

const FIXTURES = join(import.meta.dirname, "../../test/fixtures/config");

describe.each(["seeds", "contract"])("configurations of %s", (folder) => {
  const files = readdirSync(join(FIXTURES, folder)).filter((name) => name.endsWith(".yaml"));

  test("there are some", () => {
    expect(files.length).toBeGreaterThan(1);
  });

  test.each(files)("%s is valid and normalizes", (name) => {
    const text = readFileSync(join(FIXTURES, folder, name), "utf8");
    const { written } = parseConfig(text, name, { env: {} });
    expect(Object.keys(written).length).toBeGreaterThan(0);
    expect(() => normalize(written, { base: "/base", home: "/home/u" })).not.toThrow();
  });
});
