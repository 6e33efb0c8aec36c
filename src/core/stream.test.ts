import { expect, it } from "vitest";
import { projectStream, sessionStream, splitStream, taskStream } from "./stream.ts";

it.each([
  [sessionStream("demo-42"), { kind: "session", id: "demo-42" }],
  [taskStream("demo/a:b"), { kind: "task", id: "demo/a:b" }],
  [projectStream("demo"), { kind: "project", id: "demo" }],
  ["fleet" as const, { kind: "fleet", id: "" }],
])("splits %s", (stream, parts) => expect(splitStream(stream)).toEqual(parts));
