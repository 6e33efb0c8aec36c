import { expect, it } from "vitest";
import type { TurnEnd } from "../driver.ts";
import { endOf, type VendorFailure } from "./vendor-failure.ts";

const names = { name: "Made", login: "Run `made login`." };
const passes = (kind: "limited" | "unavailable"): Partial<TurnEnd> => ({ kind });
const failed = (reason: RegExp): Partial<TurnEnd> => ({ kind: "failed", reason: expect.stringMatching(reason) });

// As Claude Code, Codex, OpenCode and agents of the protocol report them.
it.each<readonly [VendorFailure, Partial<TurnEnd>]>([
  [{ words: "API Error: 529 overloaded_error: Overloaded", status: 529 }, passes("unavailable")],
  [{ words: "API Error: 500 Internal server error", status: 500 }, passes("unavailable")],
  [{ words: "unexpected status 503 Service Unavailable" }, passes("unavailable")],
  [{ words: "Selected model is at capacity", code: "serverOverloaded" }, passes("unavailable")],
  [{ words: "stream disconnected before completion" }, passes("unavailable")],
  [{ words: "API Error: Unable to connect to API (ECONNREFUSED)" }, passes("unavailable")],
  [{ words: "getaddrinfo ENOTFOUND api.example.com" }, passes("unavailable")],
  [{ words: "TypeError: fetch failed" }, passes("unavailable")],
  [{ words: "Connection error." }, passes("unavailable")],
  [{ words: "API Error: Request rejected (429)", status: 429 }, passes("limited")],
  [{ words: "You've hit your usage limit." }, passes("limited")],
  [{ words: "busy", code: "usageLimitExceeded" }, passes("limited")],
  [{ words: "Resource has been exhausted" }, passes("limited")],
  [
    { words: "429 insufficient_quota: You exceeded your current quota, please check your plan", status: 429 },
    failed(/Add credit or change the plan/),
  ],
  [{ words: "Credit balance is too low" }, failed(/Add credit or change the plan/)],
  [{ words: "402 Payment Required", status: 402 }, failed(/Add credit or change the plan/)],
  [{ words: "Prompt is too long", status: 400 }, failed(/start a new session/)],
  [
    { words: "Codex ran out of room in the model's context window. Start a new thread." },
    failed(/start a new session/),
  ],
  [{ words: "This model's maximum context length is 128000 tokens", status: 400 }, failed(/start a new session/)],
  [{ words: "Failed to authenticate", status: 401 }, failed(/^Made is not logged in .*made login/)],
  [{ words: "API Error: 403 Your account does not have access to Claude", status: 403 }, failed(/no access: check/)],
  [
    { words: "403 The model `m` does not exist or you do not have access to it.", status: 403 },
    failed(/`agentConfig\.model`/),
  ],
  [{ words: "404 model: nosuch", status: 404 }, failed(/`agentConfig\.model`/)],
  [{ words: "could not parse the answer of line 5021" }, failed(/^Made failed: could not parse/)],
  [{ words: "broken" }, failed(/^Made failed: broken$/)],
])("%j is classified", (failure, end) => {
  expect(endOf(failure, names)).toMatchObject(end);
});
