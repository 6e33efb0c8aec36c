import { encode } from "uqr";
import { expect, it } from "vitest";
import { renderCode } from "./qr-code.ts";

const URL = "http://192.168.1.5:3000/?link=0123456789abcdef0123456789abcdef0123456789abcdef";

it("a QR code has a quiet zone and fits an 80-column terminal", async () => {
  const lines = (await renderCode(URL, { isTTY: false })).split("\n");
  const { size } = encode(URL, { border: 2 });
  expect(lines[0]).toBe("█".repeat(size));
  expect(new Set(lines.map(({ length }) => length))).toEqual(new Set([size]));
  expect(size).toBeLessThanOrEqual(80);
});

it("a QR code sets its own colors on a terminal", async () => {
  const [first = ""] = (await renderCode(URL, { isTTY: true })).split("\n");
  expect(first.startsWith("\u001b[97;40m")).toBe(true);
});
