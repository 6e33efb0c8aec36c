import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { stringify } from "yaml";
import { AoError } from "../core/errors.ts";
import { isFull } from "../testing/full.ts";
import { listKeys } from "./help.ts";
import { normalize } from "./normalize.ts";
import { parseConfig } from "./parse.ts";
import { setInText } from "./set.ts";

const runs = isFull ? { numRuns: 1000 } : { numRuns: 100, seed: 1 };
const FOLDER = join(import.meta.dirname, "../../test/fixtures/config/contract");
const EVERYTHING = readFileSync(join(FOLDER, "everything.yaml"), "utf8");

/** Parses and normalizes; anything but a configuration error fails the test. */
function accept(text: string): void {
  try {
    normalize(parseConfig(text, "f.yaml", { env: {} }).written, { base: "/b", home: "/h" });
  } catch (error) {
    if (!(error instanceof AoError)) throw error;
    expect(error.code).toBe("config-invalid");
    expect(error.message).toMatch(/^f\.yaml:\d+:\d+: /);
  }
}

test("any text is a configuration or a configuration error with its place", () => {
  fc.assert(fc.property(fc.string({ unit: "grapheme" }), accept), runs);
});

test("any damage to a full file is reported with its place", () => {
  const lines = EVERYTHING.split("\n");
  fc.assert(
    fc.property(fc.nat(lines.length - 1), fc.string({ maxLength: 12 }), fc.boolean(), (at, junk, replace) => {
      const copy = [...lines];
      copy[at] = replace ? junk : `${copy[at]}${junk}`;
      accept(copy.join("\n"));
    }),
    runs,
  );
});

test("any value under any key is a configuration or a configuration error", () => {
  const keys = listKeys().map(({ path }) => path.replaceAll("[]", "").replaceAll(/<\w+>/g, "x").split("."));
  fc.assert(
    fc.property(fc.constantFrom(...keys), fc.jsonValue({ maxDepth: 2 }), (path, value) => {
      accept(stringify(path.reduceRight<unknown>((inner, key) => ({ [key]: inner }), value)));
    }),
    runs,
  );
});

test("setting any key to any text gives a valid file or an error, never a broken one", () => {
  const keys = listKeys().map(({ path }) =>
    path.replaceAll("[]", "[0]").replace("<id>", "my-app").replace("<name>", "test"),
  );
  fc.assert(
    fc.property(fc.constantFrom(...keys), fc.string({ maxLength: 12 }), (path, typed) => {
      try {
        parseConfig(setInText(EVERYTHING, path, typed), "f.yaml", { env: {} });
      } catch (error) {
        expect(error).toBeInstanceOf(AoError);
      }
    }),
    runs,
  );
});
