import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import { Markdown } from "./markdown.tsx";

const render = (text: string): string => renderToStaticMarkup(<Markdown text={text} />);

describe("an agent's Markdown", () => {
  it.each([
    ["**bold** and `code`", "<strong>"],
    ["- one\n- two", "<ul><li>"],
    ["3. three", '<ol start="3"><li>'],
    ["```ts\nconst a = 1;\n```", "<pre><code>"],
    ["# Done", "<h3>"],
    ["|a|b|\n|-|-|\n|1|2|", "<th>"],
    ["[docs](https://example.com/a)", 'rel="noopener noreferrer"'],
  ])("%s becomes %s", (text, expected) => {
    expect(render(text)).toContain(expected);
  });

  it.each([["<script>alert(1)</script>"], ["<img src=x onerror=alert(1)>"], ["a <b onclick=alert(1)>word</b>"]])(
    "keeps HTML as text: %s",
    (text) => {
      expect(render(text)).not.toMatch(/<(?:script|img|b)\b/);
    },
  );

  it.each(["javascript:alert(1)", "data:text/html,x", "file:///etc/passwd", "//example.com", "JaVaScRiPt:alert(1)"])(
    "creates no link to %s",
    (address) => {
      expect(render(`[click](${address})`)).not.toContain("<a");
    },
  );

  it("loads no image", () => {
    expect(render("![a chart](https://example.com/track.png)")).not.toContain("<img");
  });

  it("makes direction-changing characters visible", () => {
    expect(render("safe \u202egnp.exe")).toContain("\\u202e");
  });
});
