import { writeFileSync } from "node:fs";
import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { parseCommand } from "../src/bridge/kit/commands.ts";
import { forTerminal } from "../src/cli/views/terminal-text.ts";
import { normalize } from "../src/config/normalize.ts";
import { parseConfig } from "../src/config/parse.ts";
import { isBranchName } from "../src/core/branch-name.ts";
import { AoError } from "../src/core/errors.ts";
import { decodeMessage, decodeSignal } from "../src/core/lines-protocol.ts";
import { normalizeIssue, slugify } from "../src/core/name.ts";
import { defuse, fillTemplate } from "../src/core/reaction/template.ts";
import { decodeTranscriptLine } from "../src/core/transcript/line.ts";
import { parseStatus } from "../src/providers/git/status.ts";
import { CONTROL_START, readControlLine } from "../src/providers/tmux/control-mode.ts";
import { matchCall } from "../src/server/match-call.ts";
import { createOutputFilter } from "../src/server/terminal/output-filter.ts";
import { isFull } from "../src/testing/full.ts";
import { FORGE_PARSERS } from "./support/forge-parsers.ts";
import { MATCHERS, type Tried } from "./support/slow-inputs.ts";
import { VENDOR_PARSERS } from "./support/vendor-parsers.ts";

const RUNS = isFull ? 20_000 : 150;

/** A parser of foreign text, with typical examples. */
interface Parser {
  readonly examples: readonly string[];
  parse(text: string): unknown;
}

const PARSERS: Readonly<Record<string, Parser>> = {
  "lines that agents print": {
    examples: ['{"type":"status","state":"working","note":"x"}', '{"type":"received","id":"m"}', '{"type":"ask"}'],
    parse: decodeSignal,
  },
  "messages to agents": { examples: ['{"type":"message","id":"m","text":"x"}'], parse: decodeMessage },
  "lines of a conversation": { examples: ['{"at":1,"type":"said","text":"x"}'], parse: decodeTranscriptLine },
  ...VENDOR_PARSERS,
  "shell commands that agents ask for": { examples: ["a && b | c > d", "sh -c 'x \"y\"' # z"], parse: parseCommand },
  "git's status": {
    examples: ["# branch.oid abc\0# branch.head main\x001 M. N... 100644 100644 100644 a b x\0? y\0"],
    parse: parseStatus,
  },
  "tmux's notices": {
    examples: ["%begin 1 2 1", "%layout-change @1 abcd,80x24,0,0,1", "%exit", "%output %1 x"],
    parse: (text) => text.split("\n").reduce((state, line) => readControlLine(state, line).state, CONTROL_START),
  },
  "the output of a terminal": {
    examples: ["\u001b]52;c;QQ==\u0007x\u001b[6n", "\u001bP+q544e\u001b\\", "\u009b2J"],
    parse: (text) => createOutputFilter().push(Buffer.from(text, "utf8")),
  },
  "text for a terminal": { examples: ["\u001b[31mred\u001b[0m\u202e"], parse: forTerminal },
  "configuration files": {
    examples: ["projects:\n  web:\n    path: .\n    agent: codex\n    checks: { unit: { run: npm test } }\n"],
    parse: (text) => normalize(parseConfig(text, "f.yaml", { env: {} }).written, { base: "/b", home: "/h" }),
  },
  "templates and what is filled in": {
    examples: ["{{task}} {{ title }}", "```fence```"],
    parse: (text) => [fillTemplate(text, {}), defuse(text)],
  },
  "titles, issues and branches": {
    examples: ["Fix the login", "#12", "feature/x"],
    parse: (text) => [slugify(text), normalizeIssue(text), isBranchName(text)],
  },
  ...FORGE_PARSERS,
  "paths of requests": { examples: ["/api/sessions/a%2fb/diff", "/api/%"], parse: (text) => matchCall("GET", text) },
};

/** The same JSON with another value at one place; other text stays unchanged. */
function damageJson(text: string, place: number, value: unknown): string {
  let count = 0;
  let target = -1;
  const visit = (_key: string, found: unknown): unknown => {
    count += 1;
    return count - 1 === target ? value : found;
  };
  try {
    JSON.parse(text, visit);
    target = place % count;
    count = 0;
    return JSON.stringify(JSON.parse(text, visit)) ?? text;
  } catch {
    return text;
  }
}

/** Values that valid JSON may have anywhere, and that break careless conversions. */
const HOSTILE: readonly fc.JsonValue[] = [
  { toString: "" },
  { length: -1 },
  [null],
  1e300,
  -1,
  "",
  "__proto__",
  null,
  true,
];

/** Any text, any JSON, and examples with a part cut out, doubled or replaced, or with one value that is another. */
function inputs(examples: readonly string[]): fc.Arbitrary<string> {
  const damaged = fc
    .tuple(fc.constantFrom(...examples), fc.nat(), fc.nat(40), fc.string({ unit: "binary", maxLength: 20 }))
    .map(([text, place, length, junk]) => {
      const at = place % (text.length + 1);
      return text.slice(0, at) + junk + text.slice(at + length);
    });
  const changed = fc
    .tuple(fc.constantFrom(...examples), fc.nat(), fc.oneof(fc.constantFrom(...HOSTILE), fc.jsonValue({ maxDepth: 2 })))
    .map(([text, place, value]) => damageJson(text, place, value));
  return fc.oneof(fc.string({ unit: "binary" }), fc.json({ maxDepth: 4 }), damaged, changed);
}

/** A step is one character for one part of a pattern; usually it takes a hundredth of this. */
const MICROSECONDS_PER_STEP = 5;

/** For `npm run fuzz`. */
const counts: Record<string, number> = {};

afterAll(() => {
  const file = process.env["AO_FUZZ_REPORT"];
  if (file !== undefined) writeFileSync(file, JSON.stringify(counts));
});

describe("no input makes this parser crash:", () => {
  it.each(Object.entries(PARSERS))("%s", (name, { examples, parse }) => {
    let tried = 0;
    const accept = (text: string): void => {
      tried += 1;
      try {
        parse(text);
      } catch (error) {
        // A refusal that a person can read.
        expect(error).toBeInstanceOf(AoError);
      }
    };
    fc.assert(fc.property(inputs(examples), accept), isFull ? { numRuns: RUNS } : { numRuns: RUNS, seed: 1 });
    counts[name] = tried;
  });
});

describe("no input keeps this matcher busy:", () => {
  it.each(Object.entries(MATCHERS))("%s", (name, { inputs: pairs, run, stepsOf }) => {
    let tried = 0;
    let slowest: Tried | null = null;
    const measure = (pair: readonly [string, string]): void => {
      tried += 1;
      const before = process.cpuUsage();
      run(...pair);
      const { user } = process.cpuUsage(before);
      const perStep = user / stepsOf(...pair);
      if (perStep > (slowest?.perStep ?? 0)) slowest = { pair, perStep };
    };
    fc.assert(fc.property(pairs, measure), isFull ? { numRuns: RUNS } : { numRuns: RUNS, seed: 1 });
    // The first ones also compile code, and one may meet the collection of garbage; what is exponential is far beyond.
    if (slowest !== null) expectQuick(name, slowest);
    counts[name] = tried;
  });

  function expectQuick(name: string, { pair }: Tried): void {
    const { run, stepsOf } = MATCHERS[name] ?? expect.unreachable();
    const before = process.cpuUsage();
    for (let time = 0; time < 5; time += 1) run(...pair);
    const microseconds = process.cpuUsage(before).user / 5 / stepsOf(...pair);
    expect(microseconds, `${name}: ${JSON.stringify(pair).slice(0, 2_000)}`).toBeLessThan(MICROSECONDS_PER_STEP);
  }
});
