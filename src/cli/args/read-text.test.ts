import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { tempDir } from "../../testing/temp.ts";
import { checkSize, MAX_TEXT_BYTES, readText } from "./read-text.ts";

function file(bytes: Uint8Array | string): string {
  const path = join(tempDir(), "message");
  writeFileSync(path, bytes);
  return path;
}

it.each(["plain", "line\r\nline\n", "\ufeffwith a mark", "日本 😀 \u0000 tail ", ""])(
  "keeps %j byte for byte",
  async (text) => {
    expect(await readText(file(text))).toBe(text);
  },
);

it("accepts exactly 1 MiB and rejects one byte more", async () => {
  expect((await readText(file("x".repeat(MAX_TEXT_BYTES)))).length).toBe(MAX_TEXT_BYTES);
  await expect(readText(file("x".repeat(MAX_TEXT_BYTES + 1)))).rejects.toMatchObject({ code: "too-large" });
  expect(() => checkSize(MAX_TEXT_BYTES + 1, "the message")).toThrow("the message is larger than 1 MiB");
});

it("rejects what is not UTF-8 instead of changing it", async () => {
  await expect(readText(file(Uint8Array.of(0x61, 0xff, 0x62)))).rejects.toMatchObject({ code: "message-refused" });
});

it("reports a missing file", async () => {
  await expect(readText("/nowhere/at/all")).rejects.toMatchObject({
    code: "usage",
    message: "cannot read /nowhere/at/all: there is no such file",
  });
});
