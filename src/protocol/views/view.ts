import type { z } from "zod";

/** The type of a schema's values, deeply readonly. */
export type View<Schema extends z.ZodType> = Immutable<z.output<Schema>>;

// Mapping a type parameter keeps primitives as they are and makes arrays readonly.
export type Immutable<T> = unknown extends T ? T : { readonly [Key in keyof T]: Immutable<T[Key]> };
