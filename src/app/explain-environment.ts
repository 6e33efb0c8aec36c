import { reasonToPass } from "../core/environment.ts";
import { looksSecret, redactText } from "../platform/redact.ts";
import type { EnvironmentView, VariableView } from "../protocol/views/environment.ts";

type Variables = Readonly<Record<string, string>>;
type Program = VariableView["programs"][number];

/** The environments that a session's programs get, and where their variables come from. */
export interface EnvironmentSources {
  readonly daemon: Readonly<Record<string, string | undefined>>;
  readonly programs: Readonly<Record<Program, Variables>>;
  readonly project: Variables;
  /** What leads a sandboxed agent to the proxy for its listed hosts, in place of what it would get otherwise. */
  readonly gate: Variables;
  readonly plugin: string;
  readonly projectId: string;
}

/** Lists for each variable which programs get it and by which rule; omits values that may be secret. */
export function explainEnvironment(sources: EnvironmentSources): EnvironmentView {
  const names = [...new Set(Object.values(sources.programs).flatMap((env) => Object.keys(env)))].sort();
  const withheld = Object.keys(sources.daemon).filter((name) => !names.includes(name));
  return { variables: names.map((name) => explain(name, sources)), withheld: withheld.sort() };
}

function explain(name: string, sources: EnvironmentSources): VariableView {
  const getting = (Object.entries(sources.programs) as [Program, Variables][]).filter(([, env]) => name in env);
  const value = getting[0]?.[1][name] ?? "";
  const { rule, isPublic } = ruleOf(name, value, sources);
  const programs = getting.map(([program]) => program);
  return { name, rule, programs, value: isPublic && !looksSecret(name) ? redactText(value) : null };
}

function ruleOf(name: string, value: string, sources: EnvironmentSources): { rule: string; isPublic: boolean } {
  if (name.startsWith("AO_")) return { rule: "set by ao", isPublic: name !== "AO_TOKEN" };
  if (sources.gate[name] === value) return { rule: "sandbox: proxy to the listed hosts", isPublic: true };
  // Projects pass keys to their agents this way.
  if (name in sources.project) return { rule: `projects.${sources.projectId}.env`, isPublic: false };
  const group = reasonToPass(name, value);
  const isTaken = sources.daemon[name] !== undefined || name in sources.programs.checks;
  if (group !== null && isTaken) return { rule: `on the list for every program (${group})`, isPublic: true };
  if (/^GIT_(AUTHOR|COMMITTER|CONFIG)_/.test(name)) return { rule: "git identity of the agent", isPublic: true };
  return { rule: `declared by the agent plugin ${sources.plugin}`, isPublic: false };
}
