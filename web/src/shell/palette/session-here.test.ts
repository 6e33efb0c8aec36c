import { expect, it } from "vitest";
import { sessionHere } from "./session-here.ts";

const SESSIONS = [
  { id: "tern-1", pullRequests: [] },
  { id: "tern-2", pullRequests: [{ key: "tern/7" }] },
];

it.each([
  ["/s/tern-1", "", "tern-1"],
  ["/s/tern-2", "tab=diff", "tern-2"],
  ["/p/tern/pr/7", "", "tern-2"],
  ["/p/tern/pr/8", "", undefined],
  ["/", "sel=tern-1", "tern-1"],
  ["/", "", undefined],
  ["/s/gone", "", undefined],
  ["/p/tern", "", undefined],
])("the session of %s?%s is %s", (path, search, id) => {
  expect(sessionHere(SESSIONS, path, search)?.id).toBe(id);
});
