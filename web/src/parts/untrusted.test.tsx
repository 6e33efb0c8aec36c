import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { Phrase, Untrusted, UntrustedBlock } from "./untrusted.tsx";

it("untrusted text is text: markup, terminal escapes and bidi overrides have no effect", () => {
  const html = renderToStaticMarkup(<Untrusted text={'<img src=x onerror="a()"> \u202egnp.exe \x1b[31m'} />);
  expect(html).toContain("&lt;img src=x onerror=&quot;a()&quot;&gt; \\u202egnp.exe \\x1b[31m");
  expect(html).not.toContain("<img");
});

it("untrusted multi-line text is one line, with the full text in the tooltip", () => {
  expect(renderToStaticMarkup(<Untrusted text={"one\n  two\n"} />)).toBe(
    '<bdi class="one-line " title="one ⏎ two">one ⏎ two</bdi>',
  );
  expect(renderToStaticMarkup(<UntrustedBlock text={"one\ntwo"} />)).toBe("<bdi>one\ntwo</bdi>");
});

it("a phrase shows text in backticks as code", () => {
  const html = renderToStaticMarkup(<Phrase text="check `unit` failed, ` stays" />);
  expect(html).toContain(">check <code>unit</code> failed, ` stays</bdi>");
});

it("a phrase shows times in the local time zone", () => {
  const at = new Date(2026, 10, 16, 15, 10).toISOString();
  expect(renderToStaticMarkup(<Phrase text={`rate limited (until ${at})`} />)).toContain(
    ">rate limited (until 15:10)<",
  );
});
