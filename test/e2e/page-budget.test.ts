import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";

const folder = fileURLToPath(new URL("../../dist/web", import.meta.url));
const html = readFileSync(join(folder, "index.html"), "utf8");
const KB = 1024;

/** The scripts and styles that a browser fetches before any click: those in the page, and their static imports. */
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

function textOf(name: string): string {
  return readFileSync(join(folder, name), "utf8");
}

const assets = readdirSync(join(folder, "assets")).map((name) => `assets/${name}`);

describe("the built dashboard", () => {
  const { js, css } = firstLoad();

  it("loads at most 145 KB of scripts at first, gzipped", () => {
    expect(js.length).toBeGreaterThan(0);
    const zipped = js.reduce((sum, name) => sum + gzipSync(readFileSync(join(folder, name))).length, 0);
    expect(zipped / KB).toBeLessThanOrEqual(145);
  });

  it("loads at most 14 KB of styles at first, before compression", () => {
    expect(css.length).toBeGreaterThan(0);
    expect(css.reduce((sum, name) => sum + textOf(name).length, 0) / KB).toBeLessThanOrEqual(14);
  });

  it.each([
    ["the terminal", "xterm"],
    ["the diff", "diff-line"],
    ["charts", "visx"],
    ["dialogs", "DismissableLayer"],
    ["the palette", "cmdk-item"],
  ])("loads %s later", (_, mark) => {
    const having = assets.filter((name) => name.endsWith(".js") && textOf(name).includes(mark));
    expect(having).not.toEqual([]);
    expect(having.filter((name) => js.includes(name))).toEqual([]);
  });

  it("loads styles later, except those of Fleet at its default density", () => {
    const first = css.map(textOf).join("");
    expect(first).toContain(".row");
    for (const name of ["block-title", "wall-cell", "bottom-bar", "signed-out", "composer"]) {
      expect(assets.some((asset) => asset.endsWith(".css") && textOf(asset).includes(`.${name}`))).toBe(true);
      expect(first).not.toContain(`.${name}`);
    }
  });

  it("has no inline script and no other origin", () => {
    expect(html.match(/<script(?![^>]*\ssrc=)/g)).toBeNull();
    expect(html).not.toMatch(/https?:\/\//);
    const texts = assets.filter((name) => /\.(?:js|css)$/.test(name)).map(textOf);
    const hosts = new Set(texts.join("").match(/https?:\/\/[\w.-]+/g));
    // XML names, and links in error texts: none is ever fetched.
    for (const known of ["http://www.w3.org", "https://react.dev", "https://github.com"]) hosts.delete(known);
    expect([...hosts]).toEqual([]);
  });

  it("serves its fonts itself", () => {
    expect(assets.filter((name) => name.endsWith(".woff2"))).toHaveLength(3);
  });
});
