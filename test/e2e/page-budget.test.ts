import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";

const folder = fileURLToPath(new URL("../../dist/web", import.meta.url));
const html = readFileSync(join(folder, "index.html"), "utf8");
const KB = 1024;

/** The scripts and styles that a browser fetches before anything is clicked: those in the page, and what they import at once. */
function firstLoad(): { readonly js: readonly string[]; readonly css: readonly string[] } {
  const linked = [...html.matchAll(/(?:src|href)="\/(assets\/[^"]+\.(?:js|css))"/g)].map(([, name]) => name ?? "");
  const all = new Set(linked);
  for (const name of all) {
    if (!name.endsWith(".js")) continue;
    const imports = readFileSync(join(folder, name), "utf8").matchAll(/(?:from|import)"\.\/([^"]+\.js)"/g);
    for (const [, imported] of imports) all.add(`assets/${imported}`);
  }
  return {
    js: [...all].filter((name) => name.endsWith(".js")),
    css: [...all].filter((name) => name.endsWith(".css")),
  };
}

function zipped(names: readonly string[]): number {
  return names.reduce((sum, name) => sum + gzipSync(readFileSync(join(folder, name))).length, 0);
}

describe("the built dashboard", () => {
  const { js, css } = firstLoad();

  it("loads at most 145 KB of scripts at first, gzipped", () => {
    expect(js.length).toBeGreaterThan(0);
    expect(zipped(js) / KB).toBeLessThanOrEqual(145);
  });

  it("has at most 14 KB of styles at first, gzipped", () => {
    expect(css.length).toBeGreaterThan(0);
    expect(zipped(css) / KB).toBeLessThanOrEqual(14);
  });

  it("leaves terminal, diff, charts, dialogs and palette for later", () => {
    const first = js.map((name) => readFileSync(join(folder, name), "utf8")).join("");
    for (const word of ["xterm", "cmdk-item", "react-diff-view", "DismissableLayer"]) expect(first).not.toContain(word);
  });

  it("has no inline script, and names no other origin in its page", () => {
    expect(html.match(/<script(?![^>]*\ssrc=)/g)).toBeNull();
    expect(html).not.toMatch(/https?:\/\//);
  });

  it("serves its fonts itself", () => {
    const fonts = readdirSync(join(folder, "assets")).filter((name) => name.endsWith(".woff2"));
    expect(fonts).toHaveLength(3);
  });
});
