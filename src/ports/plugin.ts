import type { ZodType } from "zod";
import type { Agent } from "./agent.ts";
import type { Host } from "./host.ts";
import type { Notifier } from "./notifier.ts";
import type { Runtime } from "./runtime.ts";
import type { Scm } from "./scm.ts";
import type { Tracker } from "./tracker.ts";
import type { Workspace } from "./workspace.ts";

/** What each slot's `create` gives. */
export interface SlotInstance {
  readonly runtime: Runtime;
  readonly agent: Agent;
  readonly workspace: Workspace;
  readonly tracker: Tracker;
  readonly scm: Scm;
  readonly notifier: Notifier;
}

export type Slot = keyof SlotInstance;

/** A program that must be there; `ao doctor` reads this. */
export interface Requirement {
  readonly program: string;
  /** Arguments that print the version. */
  readonly versionArgs: readonly string[];
  readonly minVersion?: string;
  readonly fix: string;
}

/** Where a plugin instance belongs. */
export interface PluginContext {
  /** AO_HOME. */
  readonly home: string;
  /** The project's main checkout, for slots that belong to a project. */
  readonly projectPath: string;
}

/** A plugin is a plain value: what it is, what it needs, and how to make an instance. */
export interface Plugin<S extends Slot = Slot, C = unknown> {
  readonly slot: S;
  readonly name: string;
  readonly summary: string;
  readonly config: ZodType<C>;
  readonly requires: readonly Requirement[];
  /** Variables of the user's shell that only this plugin's programs get, such as the key of a vendor. */
  readonly secrets?: readonly string[];
  /** Other variables of the user's shell that this plugin's programs need; `*` at the end stands for any ending. */
  readonly variables?: readonly string[];
  /** Of an agent: the levels of `permissions` that it can be held to; absent: all of them. */
  readonly levels?: readonly ("ask" | "edits" | "all")[];
  create(config: C, host: Host, context: PluginContext): SlotInstance[S];
}

/** Gives a plugin its types; returns it unchanged. */
export function definePlugin<S extends Slot, C>(plugin: Plugin<S, C>): Plugin<S, C> {
  return plugin;
}
