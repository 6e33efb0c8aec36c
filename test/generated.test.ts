import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { renderReference } from "../src/config/reference.ts";

describe("generated pages", () => {
  it("docs/reference/config.md is what the schema says; `npm run docs` writes it", () => {
    const file = fileURLToPath(new URL("../docs/reference/config.md", import.meta.url));
    expect(readFileSync(file, "utf8")).toBe(renderReference());
  });
});
