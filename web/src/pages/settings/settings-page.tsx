import "./settings.css";
import "../../parts/page-layout.css";
import type { ReactNode } from "react";
import { Link } from "wouter";
import { Empty } from "../../parts/empty.tsx";
import { Findings } from "../first-run/findings.tsx";
import { Appearance } from "./appearance.tsx";
import { Notifications } from "./notifications.tsx";
import { Tokens } from "./tokens.tsx";

interface Section {
  readonly id: string;
  readonly group: string;
  readonly title: string;
  readonly body: () => ReactNode;
}

const SECTIONS: readonly Section[] = [
  { id: "appearance", group: "This browser", title: "Appearance", body: () => <Appearance /> },
  { id: "notifications", group: "This machine", title: "Notifications", body: () => <Notifications /> },
  { id: "tokens", group: "This machine", title: "Access and tokens", body: () => <Tokens /> },
  { id: "doctor", group: "Health", title: "Doctor", body: () => <Findings title="Findings" /> },
];
const GROUPS = [...new Set(SECTIONS.map(({ group }) => group))];

/** The settings of this browser and machine. */
export function SettingsPage({ section }: { readonly section: string }) {
  const shown = SECTIONS.find(({ id }) => id === section);
  return (
    <main className="settings">
      <nav className="settings-nav" aria-label="Settings">
        {GROUPS.map((group) => (
          <div key={group}>
            <h2>{group}</h2>
            {SECTIONS.filter((one) => one.group === group).map(({ id, title }) => (
              <Link key={id} href={`/settings/${id}`} aria-current={id === section ? "page" : undefined}>
                {title}
              </Link>
            ))}
          </div>
        ))}
      </nav>
      <div className="settings-body">
        <h1 className="page-title">{shown?.title ?? "Settings"}</h1>
        {shown === undefined ? <Empty title="No such section" /> : shown.body()}
      </div>
    </main>
  );
}
