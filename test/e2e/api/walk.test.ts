import { readFileSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { expect, it } from "vitest";
import type { ErrorCode } from "../../../src/core/errors.ts";
import { CALLS } from "../../../src/protocol/calls/all.ts";
import type { CallSpec } from "../../../src/protocol/calls/call.ts";
import { buildRequest } from "../../../src/protocol/request.ts";
import { ProblemView } from "../../../src/protocol/views/daemon.ts";
import type { SessionDetailView } from "../../../src/protocol/views/session.ts";
import { until } from "../../support/until.ts";
import { makeTeam } from "../cli/team.ts";
import { type Known, STEPS, type Step } from "./steps.ts";

const ALWAYS: readonly ErrorCode[] = ["usage", "unauthorized", "forbidden", "internal"];

it("every call has a step in the walk", () => {
  const walked = new Set<string>(STEPS.map(({ call }) => call));
  expect(Object.keys(CALLS).filter((call) => !walked.has(call))).toEqual([]);
});

it("each call returns exactly what the table declares", async () => {
  const { repo, aoHome, shell } = await makeTeam();
  const { url } = await shell.json<{ url: string }>("start", "--no-open", "--detach");
  const authorization = `Bearer ${readFileSync(join(aoHome, "token"), "utf8").trim()}`;
  const known: Known = { repo, id: "", message: "", thread: "", issue: "", config: { text: "", version: "" } };
  const send = async (step: Step): Promise<{ readonly status: number; readonly body: unknown }> => {
    const { method, path, body } = buildRequest(step.call, step.params?.(known) ?? {}, step.input?.(known));
    const answer = await fetch(url + path, {
      method,
      headers: { authorization, ...step.headers?.(known) },
      ...(body === undefined ? {} : { body }),
    });
    return { status: answer.status, body: await answer.json() };
  };
  const reach = (point: "pull request" | "idle"): Promise<unknown> =>
    until(`a session that is at: ${point}`, async () => {
      const { body } = await send({ call: "GET /api/sessions/:id", params: ({ id }) => ({ id }) });
      const { pullRequests, agentStatus } = body as SessionDetailView;
      return pullRequests.length > 0 && (point === "pull request" || agentStatus === "idle");
    });
  const wrong: string[] = [];
  for (const step of STEPS) {
    if (step.after !== undefined) await reach(step.after);
    const { status, body } = await send(step);
    const problem = judge(step, status, body);
    if (problem !== null) wrong.push(`${step.call}: ${problem}: ${status} ${JSON.stringify(body).slice(0, 500)}`);
    if (status < 300) step.learn?.(known, body as never);
  }
  expect(wrong).toEqual([]);
});

function judge(step: Step, status: number, body: unknown): string | null {
  const spec: CallSpec = CALLS[step.call];
  if (status >= 300) {
    const { code } = ProblemView.parse(body);
    if (![...ALWAYS, ...spec.errors].some((declared) => declared === code)) return "an error that is not declared";
    return step.refused === true || step.either === true ? null : "refused";
  }
  if (step.refused === true) return "not refused";
  if (status !== (spec.status ?? 200) && step.either !== true) return "another status";
  const parsed = spec.answer.safeParse(body);
  if (!parsed.success) return parsed.error.message;
  // A view with an undeclared field differs from its parsed form.
  return isDeepStrictEqual(parsed.data, body) ? null : "a field that is not declared";
}
