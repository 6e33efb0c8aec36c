import "./settings.css";
import "../../parts/page-layout.css";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Link } from "wouter";
import { projectsQuery } from "../../data/queries.ts";
import { usePageTitle } from "../../lib/page-title.ts";
import { Empty } from "../../parts/empty.tsx";
import { Untrusted } from "../../parts/untrusted.tsx";
import { Findings } from "../first-run/findings.tsx";
import { Appearance } from "./appearance.tsx";
import { AuditLog } from "./audit.tsx";
import { ConfigSection } from "./config-section.tsx";
import { Notifications } from "./notifications.tsx";
import { Tokens } from "./tokens.tsx";

interface Section {
  readonly id: string;
  readonly group: string;
  readonly title: string;
  readonly body: () => ReactNode;
  /** It takes the whole width, and has its own title. */
  readonly isWide?: true;
  /** Another name that people try in the address. */
  readonly alias?: string;
}

const SECTIONS: readonly Section[] = [
  {
    id: "machine",
    group: "This machine",
    title: "Machine-wide",
    body: () => <ConfigSection key="machine" project={null} />,
    isWide: true,
  },
  { id: "appearance", group: "This browser", title: "Appearance", body: () => <Appearance /> },
  { id: "notifications", group: "This machine", title: "Notifications", body: () => <Notifications /> },
  { id: "tokens", group: "This machine", title: "Access and tokens", body: () => <Tokens />, alias: "access" },
  { id: "audit", group: "This machine", title: "Audit log", body: () => <AuditLog /> },
  { id: "doctor", group: "Health", title: "Doctor", body: () => <Findings title="Findings" /> },
];
const GROUPS = [...new Set(SECTIONS.map(({ group }) => group))];

interface Props {
  readonly section: string;
  /** The project whose configuration is shown. */
  readonly project?: string;
}

/** The settings of projects, of this machine and of this browser. */
export function SettingsPage({ section, project }: Props) {
  const projects = useQuery(projectsQuery()).data?.data ?? [];
  usePageTitle(`Settings: ${project ?? SECTIONS.find(({ id }) => id === section)?.title ?? section}`);
  return (
    <main className="settings">
      <nav className="settings-nav" aria-label="Settings">
        {projects.length === 0 ? null : (
          <div>
            <h2>Projects</h2>
            {projects.map(({ id, name }) => (
              <Link
                key={id}
                href={`/p/${encodeURIComponent(id)}/settings/config`}
                aria-current={id === project ? "page" : undefined}
              >
                <Untrusted text={name} />
              </Link>
            ))}
          </div>
        )}
        {GROUPS.map((group) => (
          <div key={group}>
            <h2>{group}</h2>
            {SECTIONS.filter((one) => one.group === group).map(({ id, title }) => (
              <Link
                key={id}
                href={`/settings/${id}`}
                aria-current={project === undefined && id === section ? "page" : undefined}
              >
                {title}
              </Link>
            ))}
          </div>
        ))}
      </nav>
      {project === undefined ? <Body section={section} /> : <ConfigSection key={project} project={project} />}
    </main>
  );
}

function Body({ section }: { readonly section: string }) {
  const shown = SECTIONS.find(({ id, alias }) => id === section || alias === section);
  if (shown?.isWide === true) return shown.body();
  return (
    <div className="settings-body">
      <h1 className="page-title">{shown?.title ?? "Settings"}</h1>
      {shown === undefined ? <Empty title="No such section" /> : shown.body()}
    </div>
  );
}
