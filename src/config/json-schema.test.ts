import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { renderJsonSchema, toJsonSchema } from "./json-schema.ts";
import { WrittenConfig } from "./schema.ts";

test("schema/config.schema.json matches the schema", () => {
  const file = join(import.meta.dirname, "../../schema/config.schema.json");
  expect(readFileSync(file, "utf8"), "schema/config.schema.json is out of date; run `npm run docs`").toBe(
    renderJsonSchema(),
  );
});

test("the JSON Schema knows every key of the file and no other", () => {
  const schema = toJsonSchema() as { properties: object; additionalProperties: boolean };
  expect(Object.keys(schema.properties)).toEqual(Object.keys(WrittenConfig.shape));
  expect(schema.additionalProperties).toBe(false);
});

test("only known names and event types are allowed under reactions", () => {
  const { $defs } = toJsonSchema() as {
    $defs: Record<string, { additionalProperties: unknown; patternProperties: object }>;
  };
  const reactions = $defs["Reactions"];
  expect(reactions?.additionalProperties).toBe(false);
  const [pattern] = Object.keys(reactions?.patternProperties ?? {});
  expect("session.stopped").toMatch(new RegExp(pattern ?? "^$"));
  expect("ci-faild").not.toMatch(new RegExp(pattern ?? ""));
});
