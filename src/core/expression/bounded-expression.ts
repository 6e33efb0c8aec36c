import type { Environment } from "@marcbachmann/cel-js";
import { compilePattern, PatternFault } from "./linear-pattern.ts";

/** Steps of one evaluation; usual conditions take some dozens. */
const MAX_STEPS = 40_000;
/** Characters times size of the pattern. */
const MAX_MATCHING = 250_000;
/** A function may look at each character of one text for each of another. */
const PAIRS_PER_STEP = 65_536;
const ITEMS_PER_STEP = 32;
/** Steps for a part of a date, which may be asked for in any time zone. */
const OF_TIME_ZONE = 200;
/** Nodes that look through texts or lists, or make them; the others pass them on. */
const WORKING: readonly string[] = ["call", "rcall", "+", "==", "!=", "in", "list", "comprehension"];

/** Why an expression was given up, in words for the person who wrote it. */
export class Undecided extends Error {}

/** An expression whose evaluation ends soon, whatever it says and whatever it is about. */
export interface BoundedExpression {
  /** Patterns that it certainly uses and that cannot be matched in bounded time; null: none. */
  readonly fault: string | null;
  /** Its value; throws Undecided if it is given up, or CEL's error if it asks for something that is not there. */
  evaluate(facts: Readonly<Record<string, unknown>>): unknown;
}

/** What is left to spend in the evaluation under way. */
interface Meter {
  steps: number;
  matching: number;
  /** The size of the values that the current part is made of. */
  size: number;
  givenUp: string | null;
}

type Evaluate = (evaluator: Evaluator, node: Node, context: unknown) => unknown;

interface Evaluator {
  run(node: Node, context: unknown): unknown;
}

/** A node of cel-js' tree, which replaces its `evaluate` by a special one when it is first evaluated. */
interface Node {
  readonly op: string;
  readonly args: unknown;
  readonly meta: { readonly alternate?: Node; readonly macro?: object };
  evaluate: Evaluate;
}

/** Parses an expression; throws CEL's error if it cannot be read. */
export function parseBounded(environment: Environment, expression: string): BoundedExpression {
  const parsed = environment.parse(expression);
  const meter: Meter = { steps: 0, matching: 0, size: 0, givenUp: null };
  const nodes = listNodes(parsed.ast as unknown as Node);
  for (const node of nodes) bound(node, meter);
  return {
    fault: findFault(nodes),
    evaluate: (facts) => {
      Object.assign(meter, { steps: MAX_STEPS, matching: MAX_MATCHING, size: 0, givenUp: null });
      try {
        const value: unknown = parsed(facts);
        if (meter.givenUp === null) return value;
      } catch (error) {
        if (meter.givenUp === null) throw error;
      }
      // An "or" or an "exists" goes on after an error, so its value says nothing.
      throw new Undecided(meter.givenUp);
    },
  };
}

/** All nodes of a tree, with what macros were turned into. */
function listNodes(root: Node): readonly Node[] {
  const nodes = new Set<Node>();
  const seen = new Set<unknown>();
  const visit = (value: unknown): void => {
    if (value === null || typeof value !== "object" || seen.has(value)) return;
    seen.add(value);
    if (value.constructor === root.constructor) {
      const node = value as Node;
      nodes.add(node);
      visit(node.args);
      visit(node.meta.alternate);
      visit(node.meta.macro);
    } else if (Array.isArray(value) || Object.getPrototypeOf(value) === Object.prototype) {
      for (const part of Object.values(value)) visit(part);
    }
  };
  visit(root);
  return [...nodes];
}

function bound(node: Node, meter: Meter): void {
  let evaluate: Evaluate = isMatch(node) ? matchOf(node, meter) : node.evaluate;
  let isReplacing = false;
  const metered: Evaluate = (evaluator, self, context) => {
    if (isReplacing) {
      // It calls the special one at once, and is already counted.
      isReplacing = false;
      return evaluate.call(node, evaluator, self, context);
    }
    spend(meter, 1);
    const outer = meter.size;
    meter.size = 0;
    const value = evaluate.call(node, evaluator, self, context);
    spend(meter, costOf(node, meter.size, value));
    meter.size = outer + sizeOf(value);
    return value;
  };
  Object.defineProperty(node, "evaluate", {
    get: () => metered,
    set: (special: Evaluate) => {
      evaluate = special;
      isReplacing = true;
    },
  });
}

function spend(meter: Meter, steps: number): void {
  meter.steps -= steps;
  if (meter.steps < 0) giveUp(meter, "it takes too many steps; write it shorter, or with fewer lists in lists");
}

function giveUp(meter: Meter, reason: string): never {
  meter.givenUp ??= reason;
  throw new Undecided(meter.givenUp);
}

/** Of what a node itself did, without its parts, which were `size` together. */
function costOf(node: Node, size: number, value: unknown): number {
  if (!WORKING.includes(node.op) || node.meta.alternate !== undefined || node.meta.macro !== undefined) return 0;
  // Those inside were counted when they were made.
  const seen = node.op === "comprehension" ? sizeOf(value) : size + sizeOf(value);
  const isFunction = node.op === "call" || node.op === "rcall";
  if (isFunction && /^get[A-Z]/.test(String((node.args as readonly unknown[])[0]))) return OF_TIME_ZONE;
  return seen / ITEMS_PER_STEP + (isFunction ? (size * size) / PAIRS_PER_STEP : 0);
}

function sizeOf(value: unknown): number {
  if (typeof value === "string" || Array.isArray(value)) return value.length;
  return 1;
}

type Match = Node & { readonly args: readonly [name: string, text: Node, patterns: readonly [Node]] };

// cel-js matches with JavaScript's expressions, which can take exponential time.
function isMatch(node: Node): node is Match {
  if (node.op !== "rcall") return false;
  const [name, , patterns] = node.args as readonly [name: string, receiver: Node, args: readonly Node[]];
  return name === "matches" && patterns.length === 1;
}

function matchOf({ args: [, ofText, [ofPattern]] }: Match, meter: Meter): Evaluate {
  return (evaluator, _node, context) => {
    const text = evaluator.run(ofText, context);
    const pattern = evaluator.run(ofPattern, context);
    if (typeof text !== "string" || typeof pattern !== "string") throw new TypeError("only texts match");
    try {
      const compiled = compilePattern(pattern);
      meter.matching -= compiled.size * (text.length + 1);
      if (meter.matching < 0) giveUp(meter, "its regular expressions take too many steps; make them shorter");
      return compiled.isIn(text);
    } catch (error) {
      if (error instanceof PatternFault) giveUp(meter, error.message);
      throw error;
    }
  };
}

function findFault(nodes: readonly Node[]): string | null {
  for (const node of nodes) {
    const pattern = isMatch(node) ? node.args[2][0] : undefined;
    if (pattern?.op !== "value" || typeof pattern.args !== "string") continue;
    try {
      compilePattern(pattern.args);
    } catch (error) {
      return (error as Error).message;
    }
  }
  return null;
}
