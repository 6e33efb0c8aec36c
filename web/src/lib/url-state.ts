import { useCallback } from "react";
import { useLocation, useSearch } from "wouter";

/** A URL with some query parameters changed; null removes one. */
export function withParams(href: string, changes: Readonly<Record<string, string | null>>): string {
  const [path = "/", query = ""] = href.split("?");
  const params = new URLSearchParams(query);
  for (const [name, value] of Object.entries(changes)) {
    if (value === null || value === "") params.delete(name);
    else params.set(name, value);
  }
  const written = params.toString();
  return written === "" ? path : `${path}?${written}`;
}

/** One of the known values, else the first. */
export function oneOf<T extends string>(known: readonly [T, ...T[]], value: string | null): T {
  return known.find((one) => one === value) ?? known[0];
}

/** A URL parameter, and how to change it; `replace` adds no history entry. */
export function useParam(
  name: string,
): readonly [string | null, (value: string | null, options?: { readonly replace?: boolean }) => void] {
  const search = useSearch();
  const [, navigate] = useLocation();
  const set = useCallback(
    (value: string | null, options: { readonly replace?: boolean } = {}) =>
      // The address of this moment: the one rendered last may have been left already.
      navigate(withParams(`${location.pathname}${location.search}`, { [name]: value }), options),
    [name, navigate],
  );
  return [new URLSearchParams(search).get(name), set];
}

/** The project that every page is filtered by; null: all. */
export function useProject(): string | null {
  return useParam("project")[0];
}

/** A URL in the chosen project, unless it names one itself. */
export function inProject(href: string, project: string | null): string {
  return new URLSearchParams(href.split("?")[1]).has("project") ? href : withParams(href, { project });
}

/** Creates page URLs that keep the project. */
export function useHref(): (path: string) => string {
  const project = useProject();
  return useCallback((path) => inProject(path, project), [project]);
}
