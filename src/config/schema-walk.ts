import { z } from "zod";
import { spellings } from "./schema/key.ts";
import { WrittenConfig } from "./schema.ts";

export type Path = readonly (string | number)[];

/** The schema inside `optional` and the like. */
export function unwrap(schema: z.ZodType): z.ZodType {
  return schema instanceof z.ZodOptional ? unwrap(schema.unwrap() as z.ZodType) : schema;
}

/** The forms that a value may take: the branches of a union, else the schema itself. */
export function formsOf(schema: z.ZodType): readonly z.ZodType[] {
  const inner = unwrap(schema);
  return inner instanceof z.ZodUnion ? inner.options.flatMap((option) => formsOf(option as z.ZodType)) : [inner];
}

/** The schemas that a value at `path` may have; none when no such path can be written. */
export function schemasAt(path: Path, root: z.ZodType = WrittenConfig): readonly z.ZodType[] {
  let level = formsOf(root);
  for (const part of path) level = level.flatMap((schema) => childrenOf(schema, part)).flatMap(formsOf);
  return level;
}

/** Keys that may be written at `path`, without other spellings of the same key. */
export function keysAt(path: Path): readonly string[] {
  return schemasAt(path).flatMap((schema) => (schema instanceof z.ZodObject ? shownKeys(schema) : []));
}

/** Keys of an object with their schemas, without other spellings of the same key. */
export function shownKeys(schema: z.ZodObject): readonly string[] {
  return Object.keys(schema.shape).filter((name) => !spellings.has(schema.shape[name] as z.ZodType));
}

/** Can only a text stand at `path`? Then `42` means the text "42". */
export function expectsText(path: Path): boolean {
  const forms = schemasAt(path);
  return forms.length > 0 && forms.every((schema) => schema instanceof z.ZodString || schema instanceof z.ZodEnum);
}

/** Can no text stand at `path`? Then a text from the environment is read as a number or a truth value. */
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
