import type { Hono } from "hono";
import type { Actions } from "../actions.ts";
import { Cleanup, NewToken, OneProject, readBody, Shutdown } from "../bodies.ts";
import type { TokenDesk } from "../token-desk.ts";
import { listInbox } from "../views.ts";

/** What concerns all sessions: inbox, pause, clean-up, tokens, shutdown. */
export function addFleetRoutes(app: Hono, actions: Actions, tokens: TokenDesk): void {
  const { engine } = actions;

  app.get("/api/inbox", (c) => c.json({ data: listInbox(engine.loop.world.view, actions.projectProblem) }));

  for (const verb of ["pause", "resume"] as const) {
    app.post(`/api/${verb}`, async (c) => {
      const { project } = await readBody(c.req, OneProject);
      await engine.submit({
        input: { type: `fleet.${verb}`, projectId: project ?? null },
        key: c.req.header("idempotency-key"),
      });
      return c.json({ paused: verb === "pause" });
    });
  }

  app.post("/api/cleanup", async (c) => {
    const { dryRun, preserved } = await readBody(c.req, Cleanup);
    return c.json(await actions.cleanup({ dryRun, preserved: preserved ?? false }));
  });

  app.get("/api/tokens", (c) => c.json({ data: tokens.list() }));
  app.post("/api/tokens", async (c) => {
    const { name } = await readBody(c.req, NewToken);
    return c.json({ name, token: tokens.create(name) }, 201);
  });
  app.delete("/api/tokens/:name", (c) => c.json(tokens.revoke(c.req.param("name"))));

  app.post("/api/shutdown", async (c) => {
    const { sessions } = await readBody(c.req, Shutdown);
    actions.shutdown({ sessions: sessions ?? false });
    return c.json({ stopping: true });
  });
}
