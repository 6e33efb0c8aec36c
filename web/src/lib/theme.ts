const KEY = "ao.theme";

export type Theme = "system" | "dark" | "light";

/** The user's theme; default: the system's. */
export function readTheme(): Theme {
  const stored = localStorage.getItem(KEY);
  return stored === "dark" || stored === "light" ? stored : "system";
}

export function chooseTheme(theme: Theme): void {
  if (theme === "system") localStorage.removeItem(KEY);
  else localStorage.setItem(KEY, theme);
  applyTheme();
}

/** Applies the theme to the document, and follows the system. */
export function startTheme(): void {
  matchMedia("(prefers-color-scheme: light)").addEventListener("change", applyTheme);
  applyTheme();
}

function applyTheme(): void {
  const theme = readTheme();
  const isLight = theme === "light" || (theme === "system" && matchMedia("(prefers-color-scheme: light)").matches);
  document.documentElement.dataset["theme"] = isLight ? "light" : "dark";
}
