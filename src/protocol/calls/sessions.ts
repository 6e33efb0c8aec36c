import { z } from "zod";
import { CreateSessionBody, MoveBody, RestoreBody, StopBody } from "../bodies/session.ts";
import { FleetView } from "../views/fleet.ts";
import { CreatedSessionView, SessionDetailView, SessionStatusView, SessionView } from "../views/session.ts";
import { type CallTable, flag, next, paging } from "./call.ts";
import { reading, steering } from "./session.ts";

export const SESSION_CALLS = {
  "GET /api/sessions": {
    tag: "sessions",
    scope: "read",
    summary: "List sessions, oldest first.",
    errors: ["project-unknown"],
    query: z.strictObject({
      project: z.string().exactOptional(),
      all: flag.exactOptional().describe("Stopped ones too."),
      ...paging,
    }),
    answer: z.object({ data: z.array(SessionView), next, fleet: FleetView }),
  },
  "POST /api/sessions": {
    ...steering,
    summary: "Create a session for an issue or a prompt.",
    errors: ["project-unknown", "task-unknown", "task-taken", "branch-taken", "program-missing", "plugin-unavailable"],
    body: CreateSessionBody,
    status: 201,
    answer: CreatedSessionView,
  },
  "GET /api/sessions/:id": { ...reading, summary: "Show a session.", answer: SessionDetailView },
  "GET /api/sessions/:id/status": {
    ...reading,
    summary: "Show a session's status in short.",
    answer: SessionStatusView,
  },
  "DELETE /api/sessions/:id": {
    ...steering,
    summary: "Stop a session.",
    errors: [...steering.errors, "timeout"],
    body: StopBody,
    answer: SessionDetailView,
  },
  "POST /api/sessions/:id/runtime": {
    ...steering,
    summary: "Move a session to another runtime; its conversation continues there.",
    body: MoveBody,
    status: 202,
    answer: SessionDetailView,
  },
  "POST /api/sessions/:id/restore": {
    ...steering,
    summary: "Restore a stopped session, or start a queued one.",
    body: RestoreBody,
    answer: SessionDetailView,
  },
} as const satisfies CallTable;
