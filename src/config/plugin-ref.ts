import type { PluginRef } from "./config.ts";

export type WrittenRef = string | { readonly plugin: string; readonly [key: string]: unknown };

/** Normalizes a plugin written as a name or as an object. */
export function toPluginRef(ref: WrittenRef): PluginRef {
  if (typeof ref === "string") return { plugin: ref, config: {} };
  const { plugin, ...config } = ref;
  return { plugin, config };
}

/**
 * The project's choice over the default. Naming the same plugin again keeps the default's settings as a base; naming
 * another drops them, because they mean nothing to it.
 */
export function chooseRef(own: WrittenRef | undefined, fallback: PluginRef | null): PluginRef | null {
  if (own === undefined) return fallback;
  const ref = toPluginRef(own);
  if (fallback === null || fallback.plugin !== ref.plugin) return ref;
  return { plugin: ref.plugin, config: { ...fallback.config, ...ref.config } };
}

const FORGES: readonly string[] = ["github", "gitlab"];

export function isOnForge(plugin: string): boolean {
  return FORGES.includes(plugin);
}

/** A plugin on a forge uses the project's `repo` unless it has its own. */
export function withRepository(ref: PluginRef, repo: string | undefined): PluginRef {
  if (repo === undefined || !isOnForge(ref.plugin)) return ref;
  return { plugin: ref.plugin, config: { repo, ...ref.config } };
}
