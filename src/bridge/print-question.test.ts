import { expect, it } from "vitest";
import { decodeSignal } from "../core/lines-protocol.ts";
import { askLine } from "./print.ts";

const question = { id: "q", kind: "permission", question: "It wants to run:", choices: ["allow"] } as const;

it("a question is one line, whatever it contains", () => {
  const detail = { format: "command", text: "a\n\tb\u001b[2J\u2028" } as const;
  const line = askLine({ ...question, detail, descriptions: { allow: "once" }, freeText: true });
  expect(line.indexOf("\n")).toBe(line.length - 1);
  const { kind: about, ...rest } = question;
  expect(decodeSignal(line)).toEqual({
    kind: "asked",
    about,
    ...rest,
    detail,
    descriptions: { allow: "once" },
    freeText: true,
  });
});

it.each(["plain", "\u001b", "日", "😀"])(
  "details of %j that do not fit on a line say how much is missing",
  (character) => {
    const length = 2_000_000;
    const line = askLine({ ...question, detail: { format: "command", text: character.repeat(length) } });
    expect(line.length).toBeLessThanOrEqual(1024 * 1024);
    const asked = decodeSignal(line);
    const text = asked?.kind === "asked" ? (asked.detail?.text ?? "") : "";
    const [, kept = "", left] =
      /^(.*)\n\n\[ao: (\d+) more characters did not fit and are not shown\]$/s.exec(text) ?? [];
    expect(character.repeat(length).startsWith(kept)).toBe(true);
    expect(kept.length + Number(left)).toBe(character.length * length);
    expect(line.length).toBeGreaterThan(1000 * 1024);
  },
);
