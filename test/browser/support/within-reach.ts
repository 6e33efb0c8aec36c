import type { Locator, Page } from "playwright-core";

// Run in the page; the words of an element are cut off if a part of it that holds text is narrower than the text.
const WHY_NOT = `
  const { left, right, top, bottom } = node.getBoundingClientRect();
  if (left < 0 || right > innerWidth + 0.5) return "lies from " + left + " to " + right + " in a window of " + innerWidth;
  const hit = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
  if (hit === null || !(node.contains(hit) || hit.contains(node))) return "is covered by " + hit?.outerHTML.slice(0, 200);
  return null;
`;
const CUT = `
  const parts = [node, ...node.querySelectorAll("*")].filter((part) => part.clientWidth > 0 && part.textContent !== "");
  const cut = parts.find((part) => part.scrollWidth > part.clientWidth + 1);
  return cut === undefined ? null : "shows " + cut.clientWidth + " of " + cut.scrollWidth + " pixels";
`;
// Code keeps its lines, so that it may be scrolled sideways in its own box; nothing else may.
const OVERFLOW = `(() => {
  const { scrollWidth } = document.documentElement;
  if (scrollWidth > innerWidth) return "is " + (scrollWidth - innerWidth) + " pixels too wide";
  const scrolls = (box) => /auto|scroll/.test(getComputedStyle(box).overflowX) && box.scrollWidth > box.clientWidth + 1;
  const isCode = (box) => box.matches("pre, pre *, .xterm *, .review-diff, .diff, .yaml, textarea");
  const wide = [...document.querySelectorAll("body *")].find((box) => scrolls(box) && !isCode(box));
  return wide === undefined ? null : "scrolls " + (wide.className || wide.tagName) + " by " + (wide.scrollWidth - wide.clientWidth);
})()`;

/** Why a finger or a pointer cannot use an element: it is beside the window, or covered at its middle. Null: it can. */
export async function whyOutOfReach(element: Locator): Promise<string | null> {
  await element.scrollIntoViewIfNeeded();
  return ask(element, WHY_NOT);
}

/** The same for something that must be read in full before it is pressed. */
export async function whyNotReadable(element: Locator): Promise<string | null> {
  return (await whyOutOfReach(element)) ?? (await ask(element, CUT));
}

/** How far the page can be scrolled sideways; null: not at all. */
export async function whyTooWide(page: Page): Promise<string | null> {
  return page.evaluate<string | null>(OVERFLOW);
}

function ask(element: Locator, body: string): Promise<string | null> {
  return element.evaluate(new Function("node", body) as (node: unknown) => string | null);
}
