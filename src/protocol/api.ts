import type { z } from "zod";
import type { CALLS } from "./calls/all.ts";
import type { Immutable } from "./views/view.ts";

type Calls = typeof CALLS;

/** A call by its method and path. */
export type Call = keyof Calls;

/** The input and output of every call, as declared in `calls/`. */
export type Api = { [C in Call]: { in: InputOf<Calls[C]>; out: Immutable<z.output<Calls[C]["answer"]>> } };

type InputOf<Spec> = Spec extends { readonly query: infer Query extends z.ZodType }
  ? Immutable<z.input<Query>>
  : Spec extends { readonly body: infer Body extends z.ZodType }
    ? Immutable<z.input<Body>>
    : undefined;

/** The `:name` parts of a call's path. */
export type ParamsOf<C extends string> = { readonly [Name in ParamNames<C>]: string };

type ParamNames<Path extends string> = Path extends `${string}:${infer Rest}`
  ? Rest extends `${infer Name}/${infer Tail}`
    ? Name | ParamNames<Tail>
    : Rest
  : never;
