import { expect, it } from "vitest";
import { oneOf, withParams } from "./url-state.ts";

it("changes single parameters of an address and keeps the others", () => {
  expect(withParams("/?project=tern&w=3h", { w: "1h" })).toBe("/?project=tern&w=1h");
  expect(withParams("/inbox?project=tern", { project: null })).toBe("/inbox");
  expect(withParams("/inbox", { project: "a b" })).toBe("/inbox?project=a+b");
  expect(withParams("/?q=x", { q: "" })).toBe("/");
});

it("falls back to the first of the known values", () => {
  expect(oneOf(["need", "project", "agent"], "agent")).toBe("agent");
  expect(oneOf(["need", "project", "agent"], "<script>")).toBe("need");
  expect(oneOf(["need", "project"], null)).toBe("need");
});
