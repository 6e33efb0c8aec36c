import type { ElementHandle, Page } from "playwright-core";

/** Something to click or tap. */
export interface Control {
  /** The same for the same control each time the page is shown. */
  readonly key: string;
  /** The same for controls that only differ in what they are about. */
  readonly kind: string;
  /** Null: a button. */
  readonly href: string | null;
}

// What is dimmed or folded away is not for a hand; the bars around a page are tried with the first page.
const LIST = `(within) => {
  const nameOf = (node) => (node.getAttribute("aria-label") ?? node.textContent).trim().replace(/\\s+/g, " ");
  const found = new Map();
  for (const node of document.querySelectorAll(within + " :is(a[href], button:not(:disabled), summary)")) {
    if (!node.checkVisibility({ visibilityProperty: true }) || node.closest("[aria-hidden=true], .skip-link")) continue;
    const href = node.getAttribute("href");
    const about = node.closest("[data-session]")?.getAttribute("data-session") ?? "";
    const key = [node.tagName, node.className, href ?? "", nameOf(node), about].join(" ");
    const name = href === null && nameOf(node).length < 25 ? nameOf(node).replace(/[\\d.,:]+/g, "0") : "";
    const where = href === null ? "" : href.replace(/\\?.*/, "").replace(/^\\/(s|inbox|p)\\/[^/]+/, "/$1/").replace(/\\d+$/, "0");
    const kind = [node.tagName, node.className, where, name].join(" ");
    if (!found.has(key)) found.set(key, { node, control: { key, kind, href } });
  }
  return found;
}`;

export async function listControls(page: Page, within: string): Promise<readonly Control[]> {
  return page.evaluate<readonly Control[]>(
    `[...(${LIST})(${JSON.stringify(within)}).values()].map(({ control }) => control)`,
  );
}

/** The control on the page as it is now; null: it has gone. */
export async function findControl(page: Page, within: string, { key }: Control): Promise<ElementHandle | null> {
  const found = await page.evaluateHandle(
    `(${LIST})(${JSON.stringify(within)}).get(${JSON.stringify(key)})?.node ?? null`,
  );
  return found.asElement() as ElementHandle | null;
}

/** One of each kind. */
export function oneOfEach(controls: readonly Control[]): readonly Control[] {
  return [...new Map(controls.toReversed().map((control) => [control.kind, control])).values()].reverse();
}

/** What a press can change: the address, the focus, what is written but for times, and what is open or pressed. */
export const STATE = `(() => {
  const states = [...document.querySelectorAll("[aria-expanded], [aria-pressed], [aria-selected], [aria-current], details, [data-theme], [data-selected]")];
  return [
    location.href,
    document.activeElement?.outerHTML.slice(0, 200),
    document.body.innerText.replace(/\\d+/g, "0"),
    document.documentElement.dataset.theme,
    states.map((one) => one.outerHTML.split(">")[0]).join(),
  ].join("\\n");
})()`;
