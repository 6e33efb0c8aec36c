import { z } from "zod";
import { spellings } from "./schema/key.ts";
import { WrittenConfig } from "./schema.ts";

export type Path = readonly (string | number)[];

/** The schema inside `optional` and the like. */
export function unwrap(schema: z.ZodType): z.ZodType {
  return schema instanceof z.ZodOptional ? unwrap(schema.unwrap() as z.ZodType) : schema;
}

/** The forms that a value can take: the branches of a union, or the schema itself. */
export function formsOf(schema: z.ZodType): readonly z.ZodType[] {
  const inner = unwrap(schema);
  return inner instanceof z.ZodUnion ? inner.options.flatMap((option) => formsOf(option as z.ZodType)) : [inner];
}

/** The possible schemas of a value at `path`; empty if no such path can be written. */
export function schemasAt(path: Path, root: z.ZodType = WrittenConfig): readonly z.ZodType[] {
  let level = formsOf(root);
  for (const part of path) level = level.flatMap((schema) => childrenOf(schema, part)).flatMap(formsOf);
  return level;
}

/** Keys that can be written at `path`, without alternative spellings. */
export function keysAt(path: Path): readonly string[] {
  return schemasAt(path).flatMap((schema) => (schema instanceof z.ZodObject ? shownKeys(schema) : []));
}

/** Keys of an object with their schemas, without alternative spellings. */
export function shownKeys(schema: z.ZodObject): readonly string[] {
  return Object.keys(schema.shape).filter((name) => !spellings.has(schema.shape[name] as z.ZodType));
}

/** Is only a string allowed at `path`? Then `42` means the string "42". */
export function expectsText(path: Path): boolean {
  const forms = schemasAt(path);
  return forms.length > 0 && forms.every((schema) => schema instanceof z.ZodString || schema instanceof z.ZodEnum);
}

/** Is no string allowed at `path`? Then a string from the environment is parsed as a number or boolean. */
export function expectsNoText(path: Path): boolean {
  const forms = schemasAt(path);
  return forms.length > 0 && forms.every((schema) => schema instanceof z.ZodNumber || schema instanceof z.ZodBoolean);
}

function childrenOf(schema: z.ZodType, part: string | number): readonly z.ZodType[] {
  if (schema instanceof z.ZodArray) return [schema.element as z.ZodType];
  if (schema instanceof z.ZodRecord) return [schema.valueType as z.ZodType];
  if (!(schema instanceof z.ZodObject)) return [];
  const name = String(part);
  if (Object.hasOwn(schema.shape, name)) return [schema.shape[name] as z.ZodType];
  const rest = schema.def.catchall as z.ZodType | undefined;
  return rest === undefined || rest instanceof z.ZodNever ? [] : [rest];
}
