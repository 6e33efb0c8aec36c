import "./page-layout.css";
import type { ReactNode } from "react";
import { usePageTitle } from "../lib/page-title.ts";

interface HeaderProps {
  readonly title: string;
  /** Content beside the title. */
  readonly children?: ReactNode;
  /** Content at the right end. */
  readonly aside?: ReactNode;
}

/** The title of a page, with its controls. */
export function PageHeader({ title, children, aside }: HeaderProps) {
  usePageTitle(title);
  return (
    <header className="page-header">
      <h1 className="page-title">{title}</h1>
      {children}
      {aside === undefined ? null : <div className="page-header-aside">{aside}</div>}
    </header>
  );
}

/** Two columns of panels, the left one wider; one column on narrow screens. */
export function Columns({ left, right }: { readonly left: ReactNode; readonly right: ReactNode }) {
  return (
    <div className="columns">
      <div className="column">{left}</div>
      <div className="column">{right}</div>
    </div>
  );
}
