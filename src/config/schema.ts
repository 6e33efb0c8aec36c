import { z } from "zod";
import { FIGURES } from "./figures.ts";
import { FleetAgent, Orchestrator } from "./schema/fleet.ts";
import { key } from "./schema/key.ts";
import { Limits, Prices } from "./schema/limits.ts";
import {
  Dashboard,
  Defaults,
  Hooks,
  Lifecycle,
  NotificationRouting,
  Notifiers,
  Power,
  Webhooks,
} from "./schema/machine.ts";
import { ExternalPlugin } from "./schema/plugin-ref.ts";
import { Policies } from "./schema/policy.ts";
import { Projects } from "./schema/project.ts";
import { Reactions } from "./schema/reaction.ts";
import { Trust } from "./schema/trust.ts";

/** The file `agent-orchestrator.yaml` as people write it. */
export const WrittenConfig = z
  .strictObject({
    $schema: key(z.string(), "Schema for completion in editors."),
    port: key(z.int().min(0).max(65535), "Port of the dashboard and API; 0 takes a free one.", FIGURES.port),
    host: key(z.string().min(1), "Address to listen on.", FIGURES.host),
    defaults: key(Defaults, "Defaults for all projects."),
    reactions: key(Reactions, "What to do when something happens."),
    policies: key(Policies, "What a merge needs."),
    trust: key(
      Trust,
      "Whose words reach agents: comments of others wait in the inbox, and their issues mark the session.",
      "collaborators",
    ),
    limits: key(Limits, "How much may run and cost."),
    prices: key(Prices, "US dollars per million tokens, by prefix of the model name; for estimates."),
    agents: key(z.array(FleetAgent), "Kinds of workers, and the tasks they take."),
    orchestrator: key(Orchestrator, "How the fleet is run."),
    notifiers: key(Notifiers, "Notifiers by name, with their settings."),
    notificationRouting: key(NotificationRouting, "Which notifiers get which priority."),
    plugins: key(z.array(ExternalPlugin), "Plugins from npm or a path."),
    hooks: key(Hooks, "Commands or code at named points."),
    lifecycle: key(Lifecycle, "How sessions are watched and cleaned up."),
    dashboard: key(Dashboard, "The dashboard in the browser."),
    webhooks: key(Webhooks, "Webhooks from forges; `ao webhook listen` says what to set up."),
    power: key(Power, "Power management."),
    projects: key(Projects, "Projects by id."),
  })
  .meta({ title: "agent-orchestrator.yaml", description: "Configuration of ao, the agent orchestrator." });

export type WrittenConfig = z.infer<typeof WrittenConfig>;
export type WrittenProject = NonNullable<NonNullable<WrittenConfig["projects"]>[string]>;
