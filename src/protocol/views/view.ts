import type { z } from "zod";

/** What a schema describes, as a type that nobody writes to. */
export type View<Schema extends z.ZodType> = Immutable<z.output<Schema>>;

// Mapping a type parameter keeps primitives as they are and makes arrays readonly.
export type Immutable<T> = unknown extends T ? T : { readonly [Key in keyof T]: Immutable<T[Key]> };
