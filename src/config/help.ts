import { z } from "zod";
import { isInEffect } from "./in-effect.ts";
import { WrittenConfig } from "./schema.ts";
import { formsOf, type Path, shownKeys, unwrap } from "./schema-walk.ts";

/** One key of the configuration file, for help and reference. */
export interface KeyHelp {
  /** `projects.<id>.path`. */
  readonly path: string;
  readonly type: string;
  readonly description: string;
  /** As JSON, or null without a default. */
  readonly fallback: string | null;
  readonly inEffect: boolean;
}

/** Every key of the file, read from the schema; a key that appears in two places is listed once. */
export function listKeys(): readonly KeyHelp[] {
  const out: KeyHelp[] = [];
  visitForms(WrittenConfig, [], { out, seen: new Map() });
  return out;
}

/** The text of `ao config-help`: what works, and with `all` also what is not implemented yet. */
export function describeConfig(options: { readonly all: boolean }): string {
  const keys = listKeys();
  const blocks = keys
    .filter((key) => options.all || key.inEffect)
    .map((key) => {
      const notes = [key.type];
      if (key.fallback !== null) notes.push(`default ${key.fallback}`);
      if (!key.inEffect) notes.push("not implemented yet");
      return `${key.path}  (${notes.join("; ")})\n    ${key.description}\n`;
    });
  const hidden = keys.length - blocks.length;
  const rest = hidden === 0 ? "" : `\n${hidden} keys are not implemented yet: ao config-help --all\n`;
  return `Keys of agent-orchestrator.yaml\n\n${blocks.join("")}${rest}`;
}

interface Walk {
  readonly out: KeyHelp[];
  /** Where each definition was listed first: copies of a schema share it. */
  readonly seen: Map<unknown, Path>;
}

function visitForms(schema: z.ZodType, path: Path, walk: Walk): void {
  for (const form of formsOf(schema)) {
    if (form instanceof z.ZodRecord) visitForms(form.valueType as z.ZodType, [...path, placeholder(path)], walk);
    else if (form instanceof z.ZodArray) visitForms(form.element as z.ZodType, [...path, "[]"], walk);
    else if (form instanceof z.ZodObject) visitObject(form, path, walk);
  }
}

function visitObject(schema: z.ZodObject, path: Path, walk: Walk): void {
  if (walk.seen.has(schema.def)) return;
  walk.seen.set(schema.def, path);
  const rest = schema.def.catchall as z.ZodType | undefined;
  const isNamed = rest instanceof z.ZodObject;
  for (const name of shownKeys(schema)) {
    const child = schema.shape[name] as z.ZodType;
    walk.out.push(describeKey(child, [...path, name], walk));
    if (!isNamed) visitForms(child, [...path, name], walk);
  }
  if (isNamed) visitForms(rest, [...path, "<name>"], walk);
}

function describeKey(schema: z.ZodType, path: Path, walk: Walk): KeyHelp {
  const inner = unwrap(schema);
  const same = formsOf(inner).flatMap((form) => walk.seen.get(form.def) ?? []);
  const asAbove = same.length > 0 && inner instanceof z.ZodObject ? ` Keys as in ${showPath(same)}.` : "";
  const fallback = inner.meta()?.["default"];
  return {
    path: showPath(path),
    type: typeName(inner),
    description: `${schema.description ?? inner.description ?? ""}${asAbove}`,
    fallback: fallback === undefined ? null : typeof fallback === "string" ? fallback : JSON.stringify(fallback),
    inEffect: isInEffect(path),
  };
}

function typeName(schema: z.ZodType): string {
  const names = formsOf(schema).map((form) => {
    if (form instanceof z.ZodString) return "text";
    if (form instanceof z.ZodNumber) return "number";
    if (form instanceof z.ZodBoolean) return "true or false";
    if (form instanceof z.ZodArray) return "list";
    if (form instanceof z.ZodEnum) return form.options.join(" | ");
    return "map";
  });
  return [...new Set(names)].join(" or ");
}

function placeholder(path: Path): string {
  return path.at(-1) === "projects" || path.at(-1) === "notifiers" ? "<id>" : "<name>";
}

function showPath(path: Path): string {
  return path.join(".").replaceAll(".[]", "[]");
}
