import { describe, expect, it } from "vitest";
import { RpcError } from "../../kit/rpc.ts";
import { readError, readStop } from "./turn-end.ts";

const names = { name: "Made", login: "Run `made login`." };
const now = new Date("2026-01-01T00:00:00Z");

describe("the end of a turn", () => {
  it.each([
    ["end_turn", { kind: "finished", summary: "words" }],
    ["cancelled", { kind: "interrupted" }],
    ["refusal", { kind: "failed", reason: "Made refused to continue. words" }],
    ["max_tokens", { kind: "failed", reason: expect.stringContaining("token limit") }],
    ["max_turn_requests", { kind: "failed", reason: expect.stringContaining("limit of model calls") }],
  ])("by %s", (stopReason, end) => {
    expect(readStop(stopReason, "words", names)).toEqual(end);
  });

  // Recorded from the real programs.
  it.each([
    [-32000, "Authentication required: 401 scripted error", undefined, /not logged in \(.*401.*made login/],
    [401, '{"error":{"code":401,"message":"scripted error"}}', undefined, /not logged in \(401 scripted error\)/],
    [-32603, "Internal error", { details: "401 scripted error" }, /not logged in \(401 scripted error\)/],
    [-32603, "Internal error: scripted error", { errorName: "APIError" }, /^Made failed: Internal error: scripted/],
    [-32603, "Internal error", undefined, /^Made failed: Internal error$/],
  ])("by the error %i %s", (code, message, data, sentence) => {
    const end = readError(new RpcError(code, message, data), names, now);
    expect(end).toEqual({ kind: "failed", reason: expect.stringMatching(sentence) });
  });

  it("by a failure of the model service passes", () => {
    const failed = new RpcError(-32603, "Internal error", { details: "500 boom\nat x" });
    expect(readError(failed, names, now)).toEqual({ kind: "unavailable", reason: "500 boom" });
  });
});
