import { expect, it } from "vitest";
import { listDependents } from "./dependents.ts";

it("lists the open issues that depend on another one", () => {
  const issues = [
    { id: "1", state: "open", dependsOn: [] },
    { id: "2", state: "open", dependsOn: ["1", "1"] },
    { id: "3", state: "closed", dependsOn: ["1"] },
    { id: "4", state: "open", dependsOn: ["1", "2"] },
  ] as const;
  expect([...listDependents(issues)]).toEqual([
    ["1", ["2", "4"]],
    ["2", ["4"]],
  ]);
});
