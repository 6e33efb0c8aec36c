import { findConditionFault } from "../core/reaction/condition.ts";
import { suggest } from "./did-you-mean.ts";
import { checkHooks } from "./hook-rules.ts";
import { namesOf } from "./plugin-names.ts";
import { pluginUses } from "./plugin-use.ts";
import type { Finding } from "./problem.ts";
import { checkProject } from "./project-rules.ts";
import { checkReactions } from "./reaction-rules.ts";
import { policyPlaces } from "./rule-places.ts";
import type { WrittenConfig } from "./schema.ts";
import type { Path } from "./schema-walk.ts";
import { defaultPrefix } from "./session-prefix.ts";

type Rule = (written: WrittenConfig) => readonly Finding[];

const RULES: readonly Rule[] = [
  checkPluginNames,
  checkExternalPlugins,
  checkHooks,
  checkSessionPrefixes,
  checkSpellings,
  checkReactions,
  checkFleetIds,
  checkQuietHours,
  checkMergeRules,
  checkProjects,
];

/** Checks that involve more than one key; the form of the file is already valid. */
export function checkRules(written: WrittenConfig): readonly Finding[] {
  return RULES.flatMap((rule) => rule(written));
}

function wrong(path: Path, message: string, hint: string | null): Finding {
  return { path, at: "value", message, hint };
}

function checkPluginNames(written: WrittenConfig): readonly Finding[] {
  const external = written.plugins ?? [];
  // The name of a plugin listed without one is known only to its code.
  if (external.some((entry) => typeof entry === "string" || entry.name === undefined)) return [];
  const declared = external.flatMap((entry) => (typeof entry === "object" && entry.name ? [entry.name] : []));
  return pluginUses(written).flatMap(({ slot, name, path }) => {
    const known = [...namesOf(slot), ...declared];
    if (slot === "notifier") known.push(...Object.keys(written.notifiers ?? {}));
    return known.includes(name) ? [] : [wrong(path, `unknown ${slot} "${name}"`, suggest(name, known))];
  });
}

function checkExternalPlugins(written: WrittenConfig): readonly Finding[] {
  return (written.plugins ?? []).flatMap((entry, index) => {
    if (typeof entry === "string" || (entry.package === undefined) !== (entry.path === undefined)) return [];
    return [wrong(["plugins", index], "needs either `package` or `path`", null)];
  });
}

function checkSessionPrefixes(written: WrittenConfig): readonly Finding[] {
  const holders = new Map<string, string>();
  return Object.entries(written.projects ?? {}).flatMap(([id, project]) => {
    const prefix = project.sessionPrefix ?? defaultPrefix(id);
    // File systems and tmux may be case-insensitive.
    const holder = holders.get(prefix.toLowerCase());
    if (holder === undefined) {
      holders.set(prefix.toLowerCase(), id);
      return [];
    }
    const path = ["projects", id, "sessionPrefix"];
    return [wrong(path, `"${prefix}" is the prefix of project ${holder} already`, "give each project its own")];
  });
}

/** `max_parallel_agents` next to `maxParallelAgents` would leave one of them without effect. */
function checkSpellings(written: WrittenConfig): readonly Finding[] {
  const findings: Finding[] = [];
  function visit(node: unknown, path: Path): void {
    if (node === null || typeof node !== "object") return;
    for (const [key, value] of Object.entries(node)) {
      const camel = key.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
      if (camel !== key && Object.hasOwn(node, camel)) {
        findings.push({
          path: [...path, key],
          at: "key",
          message: `${camel} is written too`,
          hint: "keep one of them",
        });
      }
      visit(value, [...path, key]);
    }
  }
  visit(written.orchestrator, ["orchestrator"]);
  for (const [index, agent] of (written.agents ?? []).entries()) visit(agent.filters, ["agents", index, "filters"]);
  return findings;
}

function checkFleetIds(written: WrittenConfig): readonly Finding[] {
  const ids = (written.agents ?? []).map((agent) => agent.id);
  return ids.flatMap((id, index) =>
    ids.indexOf(id) === index ? [] : [wrong(["agents", index, "id"], `"${id}" is the id of another agent`, null)],
  );
}

function checkQuietHours(written: WrittenConfig): readonly Finding[] {
  return policyPlaces(written).flatMap(([path, policies]) => {
    const hours = policies?.quietHours;
    const zone = typeof hours === "string" ? hours.split(" ")[1] : hours?.timeZone;
    if (zone === undefined || isTimeZone(zone)) return [];
    const at = typeof hours === "string" ? ["quietHours"] : ["quietHours", "timeZone"];
    return [wrong([...path, ...at], `unknown time zone "${zone}"`, "such as Europe/Berlin or UTC")];
  });
}

function checkMergeRules(written: WrittenConfig): readonly Finding[] {
  return policyPlaces(written).flatMap(([path, policies]) =>
    (policies?.rules ?? []).flatMap(({ unless }, index) => {
      const fault = findConditionFault("approved-and-green", unless);
      return fault === null ? [] : [wrong([...path, "rules", index, "unless"], fault, null)];
    }),
  );
}

function isTimeZone(zone: string): boolean {
  try {
    return new Intl.DateTimeFormat("en", { timeZone: zone }).resolvedOptions().timeZone !== "";
  } catch {
    return false;
  }
}

function checkProjects(written: WrittenConfig): readonly Finding[] {
  return Object.entries(written.projects ?? {}).flatMap(([id, project]) => checkProject(id, project, written));
}
