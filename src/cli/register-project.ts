import { resolve } from "node:path";
import type { ProjectView } from "../protocol/view.ts";
import type { Client } from "./client.ts";
import { note, print } from "./print.ts";

export interface Registered {
  readonly data: readonly ProjectView[];
  readonly notes: readonly string[];
}

/** Registers the projects of a folder with the daemon. */
export function registerProject(client: Client, path: string, config: string | undefined): Promise<Registered> {
  const input = { path: resolve(path), ...(config === undefined ? {} : { config: resolve(config) }) };
  return client.call("POST /api/projects", { input });
}

/** Says what was registered, and what a person should know about it. */
export function reportRegistered(registered: Registered): void {
  for (const project of registered.data) print(`project ${project.id}: ${project.path}`);
  const notes = [...registered.notes, ...registered.data.flatMap((project) => project.notes)];
  for (const text of new Set(notes)) note(`note: ${text}`);
}
