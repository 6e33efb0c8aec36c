import { Environment } from "@marcbachmann/cel-js";
import { describe, expect, it } from "vitest";
import { type BoundedExpression, parseBounded } from "./bounded-expression.ts";

const names = Array.from({ length: 300 }, (_, index) => `name${index}`);
const title = `${"a".repeat(30)}!`;

function parse(expression: string): BoundedExpression {
  const environment = new Environment({ limits: { maxAstNodes: 500, maxDepth: 50 } })
    .registerVariable("names", "list<string>")
    .registerVariable("title", "string");
  return parseBounded(environment, expression);
}

describe("a bounded expression", () => {
  it.each([
    ["title.matches('^(\\\\w+\\\\s?)*$')", false],
    ["names.filter(n, n.matches('9$')).size() == 30", true],
    ["names.exists(n, n.matches('^name299$'))", true],
    ["names.all(n, n.matches(r'^name\\d+$'))", true],
    ["names.exists_one(n, n.matches('^name299$'))", true],
    ["names.map(n, n.matches('9$'), n.matches('19$')).size() == 30", true],
    ["[title.matches('a')][0] && {'k': title.matches('a')}['k']", true],
    ["cel.bind(x, title.matches('b'), x ? title.matches('z') : title.matches('a'))", true],
    ["!title.matches('!$') || title.matches('a') == title.matches('!')", true],
    ["names.map(n, n.upperAscii()).join(',').contains('NAME7')", true],
    ["'name7' in names && names == names", true],
  ])("%s is %s, each time", (expression, expected) => {
    const parsed = parse(expression);
    expect(parsed.fault).toBeNull();
    expect([1, 2, 3].map(() => parsed.evaluate({ names, title }))).toEqual([expected, expected, expected]);
  });

  it("never matches with JavaScript's own expressions", () => {
    // What RE2 has and JavaScript lacks.
    const onlyInRe2 = "title.matches(r'(?i)^A+!\\z')";
    const everywhere = `[${onlyInRe2}][0] && names.exists(n, ${onlyInRe2}) && cel.bind(x, ${onlyInRe2}, x && ${onlyInRe2})`;
    expect(parse(`(${everywhere} ? ${onlyInRe2} : false) && {'k': ${onlyInRe2}}.k`).evaluate({ names, title })).toBe(
      true,
    );
  });

  it.each([
    ["lists in lists", "names.all(a, names.all(b, names.all(c, names.all(d, a == d || true))))"],
    ["lists of lists", "names.map(a, names.map(b, names.map(c, c))).size() > 0"],
    ["texts that double", `${bindings("title + title", "x + x")} x.contains(x)${")".repeat(15)}`],
    ["lists that double", `${bindings("names + names", "x + x")} x == x${")".repeat(15)}`],
    ["long texts compared", "names.all(n, names.join('a').contains(n + n) || true)"],
    ["time zones", "names.exists(n, names.exists(m, timestamp(0).getHours('Asia/Tokyo') == 77))"],
    ["patterns", "names.exists(n, names.exists(m, m.matches('^(.*,){1,10}x$')))"],
    ["what is behind an error", "names.all(a, names.all(b, names.all(c, c.matches('n') && 1 / 0 > 1))) || true"],
  ])("gives up on %s, and says so each time", (_name, expression) => {
    const parsed = parse(expression);
    for (const _ of [1, 2]) expect(() => parsed.evaluate({ names, title })).toThrow(/too many steps/);
  });

  it("does not match a text that is longer than any title", () => {
    expect(() => parse("title.matches('a')").evaluate({ names, title: "a".repeat(5_000) })).toThrow(/more than 4096/);
  });
});

/** `x` bound 15 times, to something twice as long each time. */
function bindings(first: string, next: string): string {
  return `cel.bind(x, ${first}, ${`cel.bind(x, ${next}, `.repeat(14)}`;
}
