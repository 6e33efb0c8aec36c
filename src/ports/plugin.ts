import type { ZodType } from "zod";
import type { Agent } from "./agent.ts";
import type { Host } from "./host.ts";
import type { Notifier } from "./notifier.ts";
import type { Runtime } from "./runtime.ts";
import type { Scm } from "./scm.ts";
import type { Tracker } from "./tracker.ts";
import type { Workspace } from "./workspace.ts";

/** What each slot's `create` returns. */
export interface SlotInstance {
  readonly runtime: Runtime;
  readonly agent: Agent;
  readonly workspace: Workspace;
  readonly tracker: Tracker;
  readonly scm: Scm;
  readonly notifier: Notifier;
}

export type Slot = keyof SlotInstance;

/** A required program; `ao doctor` checks it. */
export interface Requirement {
  readonly program: string;
  /** Arguments that print the version. */
  readonly versionArgs: readonly string[];
  readonly minVersion?: string;
  readonly fix: string;
}

/** The project and AO_HOME of a plugin instance. */
export interface PluginContext {
  /** AO_HOME. */
  readonly home: string;
  /** The project's main checkout, for slots that belong to a project. */
  readonly projectPath: string;
}

/** A plugin is a plain value: what it is, what it needs, and how to create an instance. */
export interface Plugin<S extends Slot = Slot, C = unknown> {
  readonly slot: S;
  readonly name: string;
  readonly summary: string;
  readonly config: ZodType<C>;
  readonly requires: readonly Requirement[];
  /** Variables of the user's shell that only this plugin's programs get, such as a vendor's API key. */
  readonly secrets?: readonly string[];
  /** Other variables of the user's shell that this plugin's programs need; a trailing `*` matches any suffix. */
  readonly variables?: readonly string[];
  /** For an agent: the `permissions` levels it can enforce; absent: all of them. */
  readonly levels?: readonly ("ask" | "edits" | "all")[];
  /** For an agent: it runs commands that nobody allowed without asking, in a sandbox of its own. */
  readonly confines?: true;
  create(config: C, host: Host, context: PluginContext): SlotInstance[S];
}

/** Gives a plugin its types; returns it unchanged. */
export function definePlugin<S extends Slot, C>(plugin: Plugin<S, C>): Plugin<S, C> {
  return plugin;
}
