import { expect, it } from "vitest";
import { shortHash } from "./hash.ts";

it("matches the published values of FNV-1a", () => {
  expect(shortHash("")).toBe("cbf29ce484222325");
  expect(shortHash("a")).toBe("af63dc4c8601ec8c");
  expect(shortHash("foobar")).toBe("85944171f73967e8");
});
