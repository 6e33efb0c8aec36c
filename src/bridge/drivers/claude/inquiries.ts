import type { Report } from "../../driver.ts";
import { type EventOf, isToolRequest } from "./events.ts";
import { type Inquiry, inquire } from "./permission.ts";

/** Requests of the program that wait for people. */
export interface Inquiries {
  hear(event: EventOf<"control_request">): void;
  /** The program takes a request back. */
  cancel(requestId: string): void;
  answer(questionId: string, choice: string): void;
  /** The turn is over, and nobody waits any more. */
  clear(): void;
}

/** Makes questions of requests, and one response of the answers to all questions of a request. */
export function createInquiries(
  report: Pick<Report, "asked" | "withdrawn">,
  send: (message: Readonly<Record<string, unknown>>) => void,
  cwd: string,
): Inquiries {
  const open = new Map<string, Inquiry>();
  const answers = new Map<string, string>();
  return {
    hear: ({ request_id, request }) => {
      if (!isToolRequest(request)) {
        const error = `${request.subtype} is not supported`;
        send({ type: "control_response", response: { subtype: "error", request_id, error } });
        return;
      }
      const inquiry = inquire(request_id, request, cwd);
      open.set(request_id, inquiry);
      for (const question of inquiry.questions) report.asked(question);
    },
    cancel: (requestId) => {
      const inquiry = open.get(requestId);
      open.delete(requestId);
      for (const { id } of inquiry?.questions ?? []) report.withdrawn(id);
    },
    answer: (questionId, choice) => {
      answers.set(questionId, choice);
      for (const { requestId, questions, respond } of open.values()) {
        if (!questions.every(({ id }) => answers.has(id))) continue;
        const response = { subtype: "success", request_id: requestId, response: respond(answers) };
        send({ type: "control_response", response });
        open.delete(requestId);
        for (const { id } of questions) answers.delete(id);
      }
    },
    clear: () => {
      open.clear();
      answers.clear();
    },
  };
}
