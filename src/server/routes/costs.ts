import { AoError } from "../../core/errors.ts";
import { COST_GROUPINGS } from "../../protocol/choices.ts";
import type { Actions } from "../actions.ts";
import type { App } from "../app.ts";
import { listCosts, toSessionCost } from "../costs.ts";
import { findSession } from "../find-session.ts";

/** Tokens and money: of one session, and of all. */
export function addCostRoutes(app: App, actions: Actions): void {
  const world = actions.engine.world;

  app.get("/api/costs", (c) => {
    const { by: written = "session", project = null, since } = c.req.query();
    const by = COST_GROUPINGS.find((known) => known === written);
    if (by === undefined) {
      const hint = `by=${COST_GROUPINGS.join(", ")}`;
      throw new AoError({ code: "usage", message: `Unknown grouping "${written}".`, hint });
    }
    if (project !== null && world.project(project) === undefined) {
      const hint = "`ao projects` lists them.";
      throw new AoError({ code: "project-unknown", message: `There is no project "${project}".`, hint });
    }
    return c.json(listCosts(world, { by, project, since: readDay(since) }));
  });

  app.get("/api/sessions/:id/cost", async (c) => {
    const { id } = findSession(world, c.req.param("id"));
    await actions.engine.refresh(id);
    return c.json(toSessionCost(findSession(world, id), world, readDay(c.req.query("since"))));
  });
}

function readDay(written: string | undefined): string | null {
  if (written === undefined) return null;
  if (/^\d{4}-\d\d-\d\d$/.test(written) && !Number.isNaN(Date.parse(written))) return written;
  const hint = "Write it as 2026-07-01.";
  throw new AoError({ code: "usage", message: `"${written}" is not a day.`, hint });
}
