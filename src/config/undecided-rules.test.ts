import { expect, it } from "vitest";
import { configNotes } from "./notes.ts";
import { parseConfig } from "./parse.ts";

const FILE = `reactions:
  ci-failed: { condition: "pr.title.matches('^fix')" }
  pr-opened:
    action: notify
    condition: "pr.title.matches('^(?!wip)')"
projects:
  web:
    path: .
    policies:
      rules:
        - unless: "pr.title.matches('a(?=b)')"
          say: no
      paths: { "src/**": human, "src/(a|b": human, "lib/(a": none }
`;

it("a rule that cannot be evaluated leaves the file valid, and is named with its line and what it means", () => {
  const { undecided, written } = parseConfig(FILE, "f.yaml", { env: {} });
  expect(undecided.map(({ projectId }) => projectId)).toEqual([null, "web", "web", "web"]);
  const [reaction, rule, glob, lifted] = configNotes({ written, undecided }, () => null);
  expect(reaction).toMatch(
    /^f\.yaml:5:16: reactions\.pr-opened\.condition: regular expression `.*`: .* \(until you change it, ao notifies you instead of acting\)$/,
  );
  expect(rule).toMatch(
    /^f\.yaml:11:19: projects\.web\.policies\.rules\[0\]\.unless: .* \(until you change it, it blocks every merge\)$/,
  );
  expect(glob).toMatch(
    /^f\.yaml:13:33: projects\.web\.policies\.paths\.src\/\(a\|b: glob `src\/\(a\|b`: `\(` is not closed; .* every pull request needs/,
  );
  expect(lifted).toMatch(/paths\.lib\/\(a: .* \(until you change it, it lifts nothing\)$/);
});
