import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { createConfig, lintFromString } from "@redocly/openapi-core";
import { describe, expect, it } from "vitest";
import { renderReference } from "../src/config/reference.ts";
import { renderApiReference } from "../src/server/api-reference.ts";
import { createOpenApi } from "../src/server/openapi.ts";

function read(path: string): string {
  return readFileSync(fileURLToPath(new URL(`../${path}`, import.meta.url)), "utf8");
}

describe("generated files are up to date (`npm run docs` writes them):", () => {
  it("docs/reference/config.md matches the configuration schema", () => {
    expect(read("docs/reference/config.md")).toBe(renderReference());
  });

  it("schema/openapi.json and docs/reference/api.md match the table of calls", () => {
    expect(JSON.parse(read("schema/openapi.json"))).toEqual(JSON.parse(JSON.stringify(createOpenApi())));
    expect(read("docs/reference/api.md")).toBe(renderApiReference());
  });
});

it("the OpenAPI document passes the recommended rules of Redocly's linter", async () => {
  const config = await createConfig({
    extends: ["recommended"],
    // The daemon is on this machine, and some calls cannot be misused.
    rules: { "no-server-example.com": "off", "operation-4xx-response": "off" },
  });
  const problems = await lintFromString({ source: read("schema/openapi.json"), absoluteRef: "openapi.json", config });
  expect(problems.map(({ ruleId, message, location }) => `${ruleId}: ${message} ${location[0]?.pointer}`)).toEqual([]);
});
