import { style } from "./style.ts";

/** A text as a QR code for a terminal. Scanners need dark on light, whatever colors the terminal has. */
export async function renderCode(text: string, stream: { readonly isTTY?: boolean }): Promise<string> {
  const { renderUnicodeCompact } = await import("uqr");
  const lines = renderUnicodeCompact(text, { border: 2 }).split("\n");
  const { onBlack } = style(stream);
  return lines.map(onBlack).join("\n");
}
