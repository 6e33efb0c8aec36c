import { AoError } from "../../core/errors.ts";
import type { Actions } from "../actions.ts";
import type { App } from "../app.ts";
import { AddProject, EditIssue, NewIssue, readBody } from "../bodies.ts";
import { setFields } from "../set-fields.ts";
import { toProjectView } from "../views.ts";

/** Projects and their issues. */
export function addProjectRoutes(app: App, actions: Actions): void {
  const world = actions.engine.world;

  app.get("/api/projects", (c) => {
    const data = [...world.projects()]
      .filter((project) => !project.removed)
      .map((project) => toProjectView(project, world, actions.projectNotes(project.id)));
    return c.json({ data });
  });

  app.post("/api/projects", async (c) => {
    const body = setFields(await readBody(c.req, AddProject));
    const { projects, ...added } = await actions.addProject(body, { key: c.req.header("idempotency-key") });
    const data = projects.map((project) => toProjectView(project, world, added.notes));
    return c.json({ data, ...added }, added.choices.length > 0 ? 200 : 201);
  });

  app.get("/api/agents", async (c) => c.json(await actions.findAgents(c.req.query("path"))));
  app.get("/api/machine-config", async (c) => c.json({ file: await actions.machineFile() }));
  app.get("/api/projects/here", async (c) => c.json(await actions.projectHere(c.req.query("cwd") ?? "/")));

  app.delete("/api/projects/:id", async (c) => {
    const id = c.req.param("id");
    const project = world.project(id);
    await actions.removeProject(id, { key: c.req.header("idempotency-key") });
    if (project === undefined)
      throw new AoError({
        code: "project-unknown",
        message: `There is no project "${id}".`,
        hint: "`ao projects` lists them.",
      });
    return c.json(toProjectView(project, world, []));
  });

  app.get("/api/projects/:id/issues", async (c) => {
    const state = c.req.query("state");
    const wanted = state === "closed" || state === "all" ? state : "open";
    return c.json(await actions.listIssues(c.req.param("id"), wanted));
  });
  app.post("/api/projects/:id/issues", async (c) => {
    const body = await readBody(c.req, NewIssue);
    return c.json(await actions.createIssue(c.req.param("id"), body as never), 201);
  });
  app.get("/api/projects/:id/issues/:issue", async (c) =>
    c.json(await actions.getIssue(c.req.param("id"), c.req.param("issue"))),
  );
  app.patch("/api/projects/:id/issues/:issue", async (c) => {
    const body = await readBody(c.req, EditIssue);
    return c.json(await actions.editIssue(c.req.param("id"), c.req.param("issue"), body as never));
  });
}
