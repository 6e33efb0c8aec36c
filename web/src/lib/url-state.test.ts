import { expect, it } from "vitest";
import { inProject, oneOf, withParams } from "./url-state.ts";

it("changes single URL parameters and keeps the others", () => {
  expect(withParams("/?project=tern&w=3h", { w: "1h" })).toBe("/?project=tern&w=1h");
  expect(withParams("/inbox?project=tern", { project: null })).toBe("/inbox");
  expect(withParams("/inbox", { project: "a b" })).toBe("/inbox?project=a+b");
  expect(withParams("/?q=x", { q: "" })).toBe("/");
});

it("keeps the chosen project in a URL without one", () => {
  expect(inProject("/s/a-1?tab=diff", "tern")).toBe("/s/a-1?tab=diff&project=tern");
  expect(inProject("/new?project=api", "tern")).toBe("/new?project=api");
  expect(inProject("/s/a-1", null)).toBe("/s/a-1");
});

it("falls back to the first of the known values", () => {
  expect(oneOf(["need", "project", "agent"], "agent")).toBe("agent");
  expect(oneOf(["need", "project", "agent"], "<script>")).toBe("need");
  expect(oneOf(["need", "project"], null)).toBe("need");
});
