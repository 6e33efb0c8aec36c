import { expect, it } from "vitest";
import type { Client } from "../../client/client.ts";
import { lastLines, readTail } from "./output.ts";

it("the end of a long output is read from the end, not from its beginning", async () => {
  const asked: unknown[] = [];
  const call = async (_: string, { input }: { readonly input: object }): Promise<object> => {
    asked.push(input);
    return "last" in input ? { text: "a\nb\nc\n", cursor: "c1" } : { text: "", cursor: "c1" };
  };
  const tail = await readTail({ call } as unknown as Client, "web-1", 2);
  expect(tail).toEqual({ text: "b\nc\n", cursor: "c1" });
  expect(asked).toEqual([{ last: 4 * 1024 * 1024 }, { cursor: "c1" }]);
});

it.each([
  { text: "a\nb\nc\n", count: 2, gives: "b\nc\n" },
  { text: "a\nb\nc", count: 2, gives: "b\nc" },
  { text: "a\nb\n", count: 5, gives: "a\nb\n" },
  { text: "\nb\n", count: 1, gives: "b\n" },
  { text: "\nb\n", count: 2, gives: "\nb\n" },
  { text: "\n\n\n", count: 1, gives: "\n" },
  { text: "a\nb\n", count: 0, gives: "" },
  { text: "", count: 3, gives: "" },
])("the last $count lines of $text", ({ text, count, gives }) => {
  expect(lastLines(text, count)).toBe(gives);
});
