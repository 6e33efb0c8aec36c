import "./projects.css";
import { useQuery } from "@tanstack/react-query";
import type { ProjectView } from "../../../../src/protocol/views/project.ts";
import { projectsQuery } from "../../data/queries.ts";
import { ButtonLink } from "../../parts/button.tsx";
import { Empty } from "../../parts/empty.tsx";
import { Failure } from "../../parts/failure-notice.tsx";
import { Columns, PageHeader } from "../../parts/page-layout.tsx";
import { Untrusted } from "../../parts/untrusted.tsx";
import { ChecksPanel } from "./checks-panel.tsx";
import { MainState } from "./main-state.tsx";
import { PauseProject } from "./pause-project.tsx";
import { IssuesPanel, PullRequestsPanel, SessionsPanel } from "./project-panels.tsx";
import { RadarPanel } from "./radar-panel.tsx";
import { TrainPanel } from "./train-panel.tsx";

/** One project: its main branch, pull requests, sessions and issues. */
export function ProjectPage({ id }: { readonly id: string }) {
  const { data, error, refetch } = useQuery(projectsQuery());
  const project = data?.data.find((one) => one.id === id);
  if (project !== undefined) return <Project project={project} />;
  return (
    <main className="page">
      <h1 className="page-title">{id}</h1>
      {error === null ? null : <Failure error={error} onRetry={() => void refetch()} />}
      {data === undefined ? null : <Empty title="No such project">`ao projects` lists them.</Empty>}
    </main>
  );
}

function Project({ project }: { readonly project: ProjectView }) {
  const { id } = project;
  const aside = (
    <>
      <PauseProject project={project} />
      <ButtonLink href={`/new?project=${id}`}>New session</ButtonLink>
    </>
  );
  return (
    <main>
      <PageHeader title={id} aside={aside}>
        <Untrusted text={project.path} className="mono ink-3" />
        <MainState project={project} />
      </PageHeader>
      {project.notes.length === 0 ? null : (
        <ul className="page">
          {project.notes.map((note) => (
            <li key={note} className="small you">
              {note}
            </li>
          ))}
        </ul>
      )}
      <TrainPanel project={project} />
      <PullRequestsPanel project={id} />
      <Columns
        left={<IssuesPanel project={id} />}
        right={
          <>
            <SessionsPanel project={id} />
            <RadarPanel project={project} />
            <ChecksPanel project={id} />
          </>
        }
      />
    </main>
  );
}
