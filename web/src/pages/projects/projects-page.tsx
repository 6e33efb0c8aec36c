import "./projects.css";
import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import { projectsQuery, sessionsQuery } from "../../data/queries.ts";
import { Empty } from "../../parts/empty.tsx";
import { Failure } from "../../parts/failure-notice.tsx";
import { PageHeader } from "../../parts/page-layout.tsx";
import { Untrusted } from "../../parts/untrusted.tsx";
import { NoProject } from "../first-run/no-project.tsx";
import { MainState } from "./main-state.tsx";
import { countSessions, describeFigures } from "./project-state.ts";

/** Every project, its activity and the state of its main branch. */
export function ProjectsPage() {
  const { data, error, refetch } = useQuery(projectsQuery());
  const sessions = useQuery(sessionsQuery()).data?.data ?? [];
  return (
    <main>
      <PageHeader
        title="Projects"
        aside={
          <span>
            add one: <code>ao add-project PATH</code>
          </span>
        }
      />
      <div className="project-list">
        {error === null ? null : <Failure error={error} onRetry={() => void refetch()} />}
        {data?.data.length === 0 ? <NoProject /> : null}
        {data?.data.map((project) => (
          <Link key={project.id} href={`/p/${project.id}`} className="project-row">
            <span className="project-name">{project.id}</span>
            <Untrusted text={project.path} className="mono ink-3" />
            <MainState project={project} />
            <span className={project.paused ? "small you" : "small ink-2"}>
              {project.paused ? "paused, " : ""}
              {describeFigures(countSessions(sessions, project.id))}
            </span>
            {project.notes.map((note) => (
              <span key={note} className="small you project-note">
                {note}
              </span>
            ))}
          </Link>
        ))}
        {data === undefined && error === null ? <Empty title="" /> : null}
      </div>
    </main>
  );
}
