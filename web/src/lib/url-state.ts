import { useCallback } from "react";
import { useLocation, useSearch } from "wouter";

/** An address with some parameters of its query changed; null takes one out. */
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

/** A parameter of the address, and how to change it; `replace` leaves no step to go back to. */
export function useParam(
  name: string,
): readonly [string | null, (value: string | null, options?: { readonly replace?: boolean }) => void] {
  const search = useSearch();
  const [path, navigate] = useLocation();
  const set = useCallback(
    (value: string | null, options: { readonly replace?: boolean } = {}) =>
      navigate(withParams(`${path}?${search}`, { [name]: value }), options),
    [name, path, search, navigate],
  );
  return [new URLSearchParams(search).get(name), set];
}

/** The project that every page is filtered by; null: all of them. */
export function useProject(): string | null {
  return useParam("project")[0];
}

/** An address in the chosen project, unless it names one itself. */
export function inProject(href: string, project: string | null): string {
  return new URLSearchParams(href.split("?")[1]).has("project") ? href : withParams(href, { project });
}

/** Makes addresses of pages that keep the project. */
export function useHref(): (path: string) => string {
  const project = useProject();
  return useCallback((path) => inProject(path, project), [project]);
}
