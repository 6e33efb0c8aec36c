import { expect, it } from "vitest";
import { aProject, aWorld } from "../testing/builders.ts";
import { aChange } from "../testing/change-builders.ts";
import { createNumbers } from "./current-number.ts";
import { toEventView } from "./event-text.ts";

it("names a published pull request by its number on the forge, in its own history and its project's", () => {
  const changes = [aChange({ key: "demo/1", number: 17 }), aChange({ key: "demo/2", number: 2 })];
  const numberOf = createNumbers(aWorld({ changes, projects: [aProject()] }));
  const stored = { position: 1, at: 0 };
  const closed = { type: "change.closed", by: "ann", reason: "asked for" } as const;
  expect(toEventView({ ...stored, stream: "change:demo/1", event: closed }, numberOf).number).toBe(17);
  expect(toEventView({ ...stored, stream: "change:demo/2", event: closed }, numberOf)).not.toHaveProperty("number");
  const order = ["demo/2", "demo/1"];
  const moved = { type: "train.reordered", by: "ann", order } as const;
  const { text } = toEventView({ ...stored, stream: "project:demo", event: moved }, numberOf);
  expect(text).toBe("ann reordered the merge train: #2, #17");
});
