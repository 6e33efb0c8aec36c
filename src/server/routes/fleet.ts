import type { Tokens } from "../../auth/tokens.ts";
import { AoError } from "../../core/errors.ts";
import type { Actions } from "../actions.ts";
import type { App } from "../app.ts";
import { Cleanup, NewToken, OneProject, readBody, Shutdown } from "../bodies.ts";
import { findEntry, listInbox } from "../inbox.ts";
import { Acknowledge, TestNotifier } from "../pull-request-bodies.ts";
import { showInbox } from "../question-view.ts";
import { calledBy } from "./pull-requests.ts";

/** What concerns all sessions: inbox, pause, examination, clean-up, tokens, shutdown. */
export function addFleetRoutes(app: App, actions: Actions, tokens: Tokens): void {
  const { engine } = actions;

  const inbox = () => listInbox(engine.world, actions.projectProblem);

  app.get("/api/inbox", async (c) => c.json({ data: await showInbox(inbox(), actions.pullRequests.textOf) }));

  app.post("/api/inbox/ack", async (c) => {
    const { id } = await readBody(c.req, Acknowledge);
    const { view, problem } = findEntry(inbox(), id);
    if (problem === null) {
      const message = `${view.id} goes away only when it is dealt with.`;
      throw new AoError({ code: "conflict", message, hint: view.act });
    }
    await actions.pullRequests.acknowledge(problem, calledBy(c));
    return c.json({ acknowledged: true, id: view.id });
  });

  app.post("/api/notify/test", async (c) => {
    const { notifier } = await readBody(c.req, TestNotifier);
    return c.json({ data: await actions.pullRequests.testNotifiers(notifier ?? null) });
  });

  for (const verb of ["pause", "resume"] as const) {
    app.post(`/api/${verb}`, async (c) => {
      const { project } = await readBody(c.req, OneProject);
      await actions.setPaused(verb === "pause", project ?? null, { key: c.req.header("idempotency-key") });
      return c.json({ paused: verb === "pause" });
    });
  }

  app.get("/api/doctor", async (c) => c.json({ data: await actions.examine(c.req.query("path")) }));

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
