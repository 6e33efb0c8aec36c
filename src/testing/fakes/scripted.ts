import { createGate, type Gate } from "../gate.ts";

type Method<T> = Extract<keyof T, string>;

/** What a test can do to a port's next calls. */
export interface Script<T> {
  /** The next call fails and does nothing. */
  failNext(method: Method<T>, error: Error): void;
  /** The next call does its work, and then its answer is lost: it fails anyway. */
  loseNext(method: Method<T>, error: Error): void;
  /** The next call waits at the gate before it does its work. */
  holdNext(method: Method<T>): Gate;
  /** How often a method was called. */
  count(method: Method<T>): number;
}

type Plan = { readonly kind: "fail" | "lose"; readonly error: Error } | { readonly kind: "hold"; readonly gate: Gate };

/** A port with a script: its methods work normally unless a test says otherwise. */
export function scripted<T extends object>(port: T): { readonly port: T; readonly script: Script<T> } {
  const plans = new Map<string, Plan[]>();
  const counts = new Map<string, number>();
  const add = (method: string, plan: Plan): void => {
    plans.set(method, [...(plans.get(method) ?? []), plan]);
  };
  const call = async (method: string, work: () => unknown): Promise<unknown> => {
    counts.set(method, (counts.get(method) ?? 0) + 1);
    const plan = plans.get(method)?.shift();
    if (plan?.kind === "fail") throw plan.error;
    if (plan?.kind === "hold") await plan.gate.pass();
    const answer = await work();
    if (plan?.kind === "lose") throw plan.error;
    return answer;
  };
  const script: Script<T> = {
    failNext: (method, error) => add(method, { kind: "fail", error }),
    loseNext: (method, error) => add(method, { kind: "lose", error }),
    holdNext: (method) => {
      const gate = createGate();
      add(method, { kind: "hold", gate });
      return gate;
    },
    count: (method) => counts.get(method) ?? 0,
  };
  return {
    port: mapMethods(
      port,
      (name, method) =>
        (...args) =>
          call(name, () => method(...args)),
    ),
    script,
  };
}

type AnyMethod = (...args: readonly unknown[]) => unknown;

/** The same object with every method replaced; other members stay. */
export function mapMethods<T extends object>(port: T, map: (name: string, method: AnyMethod) => AnyMethod): T {
  const entries = Object.entries(port).map(([name, member]) =>
    typeof member === "function" ? [name, map(name, member as AnyMethod)] : [name, member],
  );
  return Object.fromEntries(entries) as T;
}
