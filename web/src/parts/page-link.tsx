import type { ComponentProps } from "react";
import { Link } from "wouter";
import { useHref } from "../lib/url-state.ts";

type Props = Omit<ComponentProps<"a">, "href"> & { readonly href: string };

/** A link to another page of the dashboard that keeps the chosen project. */
export function PageLink({ href, ...rest }: Props) {
  return <Link href={useHref()(href)} {...rest} />;
}
