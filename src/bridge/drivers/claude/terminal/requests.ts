import { randomUUID } from "node:crypto";
import type { Report } from "../../../driver.ts";
import { type Inquiry, inquire } from "../permission.ts";
import type { HookEvent } from "./hook-event.ts";
import type { OwnStatus } from "./own-status.ts";

/** Tools that wait for a person, who may answer here or at the keyboard. */
export interface Requests {
  ask(n: number, event: HookEvent): void;
  answer(questionId: string, choice: string): void;
  /** A tool ran or was refused, so its question is over. */
  settle(event: HookEvent): void;
  /** The program says this of itself: when it became busy after a question, the question has its answer. */
  hear(own: OwnStatus): void;
  /** The turn went on without the answers. */
  clear(): void;
}

interface Open extends Inquiry {
  readonly n: number;
  readonly tool: string;
  readonly askedAt: number;
}

/** Makes questions of requests; the script of a request goes on when all its questions are answered, or are over. */
export function createRequests(
  report: Pick<Report, "asked" | "withdrawn">,
  release: (n: number, answer: string | null) => void,
  cwd: string,
): Requests {
  const open = new Map<string, Open>();
  const answers = new Map<string, string>();
  /** Asked beside others: which of them was answered is told by their tools alone. */
  const crowded = new WeakSet<Open>();

  const drop = (request: Open): void => {
    open.delete(request.requestId);
    for (const { id } of request.questions) answers.delete(id);
  };
  const withdraw = (request: Open): void => {
    drop(request);
    release(request.n, null);
    for (const { id } of request.questions) report.withdrawn(id);
  };

  return {
    ask: (n, event) => {
      const requestId = randomUUID();
      const { tool_name, tool_input: input, permission_suggestions } = event;
      const request = { subtype: "can_use_tool" as const, tool_name, input, permission_suggestions };
      const inquiry = { ...inquire(requestId, request, cwd), n, tool: toolOf(event), askedAt: Date.now() };
      open.set(requestId, inquiry);
      if (open.size > 1) for (const one of open.values()) crowded.add(one);
      for (const question of inquiry.questions) report.asked(question);
    },
    answer: (questionId, choice) => {
      answers.set(questionId, choice);
      for (const request of [...open.values()]) {
        if (!request.questions.every(({ id }) => answers.has(id))) continue;
        const decision = request.respond(answers);
        drop(request);
        release(request.n, JSON.stringify({ hookSpecificOutput: { hookEventName: "PermissionRequest", decision } }));
      }
    },
    settle: (event) => {
      const request = [...open.values()].find(({ tool }) => tool === toolOf(event));
      if (request !== undefined) withdraw(request);
    },
    hear: ({ status, since }) => {
      for (const request of [...open.values()]) {
        if (status === "busy" && since > request.askedAt && !crowded.has(request)) withdraw(request);
      }
    },
    clear: () => {
      for (const request of [...open.values()]) withdraw(request);
    },
  };
}

function toolOf({ tool_name, tool_input }: HookEvent): string {
  return JSON.stringify([tool_name, tool_input]);
}
