import type { Page } from "playwright-core";
import { expect } from "vitest";
import { SHORTCUTS, type ShortcutId } from "../../../web/src/keys/shortcuts.ts";

/** Presses the keys of a shortcut, as the registry lists them; `digit` picks one of `1-9`. */
export async function pressShortcut(page: Page, id: ShortcutId, digit = "1"): Promise<void> {
  const { keys } = SHORTCUTS[id];
  if (keys === "1-9") return page.keyboard.press(digit);
  const chords = keys.replace("Ctrl ", "Control+").replace("Shift ", "Shift+");
  for (const chord of chords.split(" ")) await page.keyboard.press(chord);
}

/** Opens another page of the dashboard as its links do, without loading it again. */
export async function goTo(page: Page, path: string): Promise<void> {
  await page.evaluate(`history.pushState(null, "", ${JSON.stringify(path)})`);
  await page.locator("main h1").first().waitFor({ state: "attached" });
}

interface Focus {
  readonly name: string;
  /** Whether the focus is visible. */
  readonly isVisible: boolean;
}

// A field may leave the outline to the frame around it.
const FOCUS = `(() => {
  const element = document.activeElement ?? document.body;
  const label = element.getAttribute("aria-label") ?? element.textContent ?? "";
  const hasOutline = (one) => {
    const { outlineStyle, outlineWidth } = getComputedStyle(one);
    return outlineStyle !== "none" && Number.parseFloat(outlineWidth) >= 2;
  };
  return {
    name: label.trim().replace(/\\s+/g, " ") || element.tagName.toLowerCase(),
    isVisible: element === document.body || hasOutline(element) || hasOutline(element.parentElement),
  };
})()`;

export function readFocus(page: Page): Promise<Focus> {
  return page.evaluate<Focus>(FOCUS);
}

/** Moves the focus with Tab to the element with this name; every stop on the way must be visible. */
export async function tabTo(page: Page, name: RegExp): Promise<void> {
  const passed: string[] = [];
  for (let stop = 0; stop < 80; stop += 1) {
    await page.keyboard.press("Tab");
    const focus = await readFocus(page);
    expect(focus.isVisible, `the focus on "${focus.name}" is visible`).toBe(true);
    if (name.test(focus.name)) return;
    passed.push(focus.name);
  }
  throw new Error(`Tab never reached ${String(name)}, only: ${passed.join(", ")}`);
}
