import type { GlobNode, GlobSequence } from "./parse.ts";

/** Decides on one character after the other, in a number of states that is bounded by the length of the glob. */
export interface Automaton {
  matches(text: string): boolean;
}

type State =
  | { readonly kind: "char"; readonly test: (char: string) => boolean; readonly next: number }
  /** `isName`: at the end of the path there is no name to begin. */
  | { readonly kind: "split"; readonly nexts: number[]; readonly isName?: boolean }
  /** Goes on once what was read since is not one of those that start at `inner`. */
  | { readonly kind: "not"; readonly inner: number; readonly test: (char: string) => boolean; readonly next: number }
  | { readonly kind: "end" };

/** Of a `not`: what was read since can still become these states of its inner part. */
interface Open {
  readonly state: number;
  readonly inner: readonly number[];
}

interface Threads {
  /** States that wait for a character. */
  readonly plain: Set<number>;
  readonly open: Map<string, Open>;
  isDone: boolean;
}

const END = 0;

export function buildAutomaton(sequence: GlobSequence): Automaton {
  const states: State[] = [{ kind: "end" }];
  const start = addSequence(states, sequence, END);
  return { matches: (text) => run(states, start, text) };
}

function add(states: State[], state: State): number {
  return states.push(state) - 1;
}

function addSequence(states: State[], sequence: GlobSequence, end: number): number {
  return sequence.reduceRight((next, node) => addNode(states, node, next), end);
}

function addNode(states: State[], node: GlobNode, next: number): number {
  switch (node.kind) {
    case "char":
      return add(states, { kind: "char", test: node.test, next });
    case "star":
      return addLoop(states, isInName, { next, isName: node.isFirst });
    case "globstar":
      return addGlobstar(states, node.of, next);
    case "either":
      return addEither(states, node, next);
    case "not": {
      const inner = addOptions(states, node.options, END);
      return add(states, { kind: "not", inner, test: node.crosses ? isAny : isInName, next });
    }
  }
}

function addGlobstar(states: State[], of: "all" | "folders" | "below", next: number): number {
  if (of === "all") return addLoop(states, isAny, { next });
  const nexts: number[] = [next];
  const folders = add(states, { kind: "split", nexts });
  const slash = add(states, { kind: "char", test: isSlash, next });
  nexts.push(addLoop(states, isAny, { next: slash }));
  if (of === "folders") return folders;
  const below = add(states, { kind: "char", test: isSlash, next: folders });
  return add(states, { kind: "split", nexts: canEnd(states, next) ? [below, END] : [below] });
}

/** Can the rest of the glob match nothing? */
function canEnd(states: readonly State[], id: number): boolean {
  const seen = new Set<number>();
  const queue = [id];
  for (let at = queue.pop(); at !== undefined; at = queue.pop()) {
    if (at === END) return true;
    const state = states[at];
    if (seen.has(at) || state === undefined) continue;
    seen.add(at);
    if (state.kind === "split" && state.isName !== true) queue.push(...state.nexts);
    if (state.kind === "not" && !canEnd(states, state.inner)) queue.push(state.next);
  }
  return false;
}

function addLoop(
  states: State[],
  test: (char: string) => boolean,
  { next, isName = false }: { readonly next: number; readonly isName?: boolean },
): number {
  const nexts: number[] = [next];
  const split = add(states, { kind: "split", nexts, isName });
  nexts.push(add(states, { kind: "char", test, next: split }));
  return split;
}

function addOptions(states: State[], options: readonly GlobSequence[], next: number): number {
  return add(states, { kind: "split", nexts: options.map((option) => addSequence(states, option, next)) });
}

function addEither(states: State[], { options, times }: Extract<GlobNode, { kind: "either" }>, next: number): number {
  if (times === "once") return addOptions(states, options, next);
  if (times === "?") return add(states, { kind: "split", nexts: [next, addOptions(states, options, next)] });
  const nexts: number[] = [next];
  const again = add(states, { kind: "split", nexts });
  const first = addOptions(states, options, again);
  nexts.push(first);
  return times === "*" ? again : first;
}

function run(states: readonly State[], start: number, text: string): boolean {
  let threads = reach(states, [start], []);
  for (const char of units(text)) {
    if (threads.plain.size === 0 && threads.open.size === 0) return false;
    threads = step(states, threads, char);
  }
  return threads.isDone;
}

function* units(text: string): Iterable<string> {
  for (let at = 0; at < text.length; at += 1) yield text[at] ?? "";
}

function step(states: readonly State[], { plain, open }: Threads, char: string): Threads {
  const next = advance(states, plain, char);
  const still = [...open.values()].flatMap(({ state, inner }): readonly Open[] => {
    const not = states[state];
    if (not?.kind !== "not" || !not.test(char)) return [];
    return [{ state, inner: [...reach(states, advance(states, inner, char), []).plain] }];
  });
  return reach(states, next, still);
}

function advance(states: readonly State[], plain: Iterable<number>, char: string): readonly number[] {
  const next: number[] = [];
  for (const id of plain) {
    const state = states[id];
    if (state?.kind === "char" && state.test(char)) next.push(state.next);
  }
  return next;
}

/** Everything that can be reached without a character. The end of an inner part is kept as a state that waits for none. */
function reach(states: readonly State[], from: readonly number[], opened: readonly Open[]): Threads {
  const threads: Threads = { plain: new Set(), open: new Map(), isDone: false };
  const seen = new Set<number>();
  const queue = [...from];
  const keep = (one: Open): void => {
    const key = `${one.state}:${one.inner.join()}`;
    if (threads.open.has(key)) return;
    threads.open.set(key, one);
    const not = states[one.state];
    if (not?.kind === "not" && !one.inner.includes(END)) queue.push(not.next);
  };
  for (const one of opened) keep(one);
  for (let id = queue.pop(); id !== undefined; id = queue.pop()) {
    if (seen.has(id)) continue;
    seen.add(id);
    const state = states[id];
    if (state?.kind === "split") queue.push(...state.nexts);
    else if (state?.kind === "not") keep({ state: id, inner: [...reach(states, [state.inner], []).plain] });
    else threads.plain.add(id);
  }
  threads.isDone = seen.has(END);
  return threads;
}

function isAny(): boolean {
  return true;
}

function isSlash(char: string): boolean {
  return char === "/";
}

function isInName(char: string): boolean {
  return char !== "/";
}
