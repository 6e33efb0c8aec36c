import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createOutputFilter } from "./output-filter.ts";

function filtered(...chunks: readonly string[]): string {
  const filter = createOutputFilter();
  return Buffer.concat(chunks.map((chunk) => filter.push(Buffer.from(chunk)))).toString();
}

describe("a terminal viewer's output", () => {
  it.each([
    ["text and line breaks", "héllo\r\n\tworld € 𝄞"],
    ["colors", "\u001b[1;31mred\u001b[0m"],
    ["movements", "\u001b[2J\u001b[10;20H\u001b[K"],
    ["modes", "\u001b[?2004h\u001b[?1049h\u001b="],
    ["a title", "\u001b]0;building\u0007"],
    ["a link", "\u001b]8;;https://example.org\u001b\\here\u001b]8;;\u001b\\"],
    ["a character set", "\u001b(0lqk\u001b(B"],
  ])("has %s", (_, text) => expect(filtered(text)).toBe(text));

  it.each([
    ["writes to the clipboard", "\u001b]52;c;ZXZpbA==\u0007"],
    ["clipboard writes with the other terminator", "\u001b]52;c;ZXZpbA==\u001b\\"],
    ["the clipboard after an unfinished sequence", "\u001b[\u001b]52;c;ZXZpbA==\u0007"],
    ["the clipboard after an unfinished title", "\u001b]0;x\u001b]52;c;ZXZpbA==\u0007"],
    ["the clipboard after a lone escape", "\u001b\u001b]52;c;ZXZpbA==\u0007"],
    ["the clipboard with leading zeros", "\u001b]0052;c;ZXZpbA==\u0007"],
    ["queries of the terminal type", "\u001b[c\u001b[>c\u001b[>0q\u001bZ"],
    ["queries of the cursor", "\u001b[6n\u001b[?6n"],
    ["queries of the title and size", "\u001b[21t\u001b[18t"],
    ["questions for colors", "\u001b]11;?\u0007\u001b]4;1;?\u001b\\"],
    ["questions for settings", "\u001bP$qm\u001b\\\u001b[?2026$p"],
    ["the answerback", "\u0005"],
  ])("has no %s", (_, text) => expect(filtered(`a${text}b`)).toBe("ab"));

  it("has no clipboard write that starts with an 8-bit control", () => {
    expect(filtered("a\u009d52;c;ZXZpbA==\u0007b")).not.toContain("\u009d");
  });

  it("holds a sequence until it is complete", () => {
    const filter = createOutputFilter();
    expect(filter.push(Buffer.from("a\u001b[3")).toString()).toBe("97");
    expect(filter.held()).toBe(3);
    expect(Buffer.from(filter.push(Buffer.from("1mb"))).toString()).toBe("\u001b[31mb");
    expect(filter.held()).toBe(0);
  });

  it("is the same for any chunks, and continues from every cut without a gap or a repetition", () => {
    const piece = fc.constantFrom(
      ..."ab\u001b[]\\0;?5236ncP$q\u0007\u009d\u0018é",
      "\u001b]52;c;x\u0007",
      "\u001b[31m",
      "\u001b]0;t\u001b\\",
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), fc.nat(200), (pieces, at) => {
        const bytes = Buffer.from(pieces.join(""));
        const whole = createOutputFilter();
        const all = Buffer.from(whole.push(bytes));
        const first = createOutputFilter();
        const cut = Math.min(at, bytes.length);
        const shown = Buffer.from(first.push(bytes.subarray(0, cut)));
        const rest = Buffer.from(createOutputFilter().push(bytes.subarray(cut - first.held())));
        expect(Buffer.concat([shown, rest]).toString("hex")).toBe(all.toString("hex"));
        expect(all.includes("\u001b]52")).toBe(false);
      }),
    );
  });
});
