/** Calls that the server only parses: the composition root answers them itself. */
export type PassedThrough =
  | "GET /api/sessions/:id/diff"
  | "GET /api/sessions/:id/attach"
  | "GET /api/projects/here"
  | "GET /api/projects/:id/issues"
  | "POST /api/projects/:id/issues"
  | "GET /api/projects/:id/issues/:issue"
  | "PATCH /api/projects/:id/issues/:issue"
  | "GET /api/openapi.json"
  | "GET /api/agents"
  | "GET /api/machine-config"
  | "GET /api/config"
  | "POST /api/config/preview"
  | "PUT /api/config"
  | "GET /api/doctor"
  | "POST /api/notify/test"
  | "POST /api/cleanup";
