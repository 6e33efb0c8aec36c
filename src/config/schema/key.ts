import { z } from "zod";

/** Keys that are an alternative spelling of the key `of`; help and completion show only the main one. */
export const spellings = z.registry<{ of: string }>();

/** An optional key with its description and its default, if any. */
export function key<T extends z.ZodType>(schema: T, description: string, fallback?: unknown): z.ZodOptional<T> {
  return schema.meta(fallback === undefined ? { description } : { description, default: fallback }).optional();
}

type Snake<S extends string> = S extends `${infer Head}${infer Tail}`
  ? `${Head extends Lowercase<Head> ? Head : `_${Lowercase<Head>}`}${Snake<Tail>}`
  : S;

type WithSnake<Shape extends z.ZodRawShape> = Shape & {
  [K in keyof Shape & string as Snake<K>]: Shape[K];
};

/** Adds a snake_case spelling for every camelCase key of a shape. */
export function withSnakeCase<Shape extends z.ZodRawShape>(shape: Shape): WithSnake<Shape> {
  const out: Record<string, z.core.$ZodType> = { ...shape };
  for (const [name, schema] of Object.entries(shape)) {
    const snake = name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
    if (snake === name) continue;
    const copy = z.core.clone(schema);
    spellings.add(copy, { of: name });
    out[snake] = copy;
  }
  return out as WithSnake<Shape>;
}
