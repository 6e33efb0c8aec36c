import "./first-run.css";
import "../../parts/field.css";
import { useQuery } from "@tanstack/react-query";
import { type KeyboardEvent, useState } from "react";
import { useLocation } from "wouter";
import { issuesQuery } from "../../data/project-queries.ts";
import { projectsQuery } from "../../data/queries.ts";
import { describeIssue, listIssues } from "../../lib/issues.ts";
import { useHref, useProject } from "../../lib/url-state.ts";
import { Button } from "../../parts/button.tsx";
import { Failure } from "../../parts/failure-notice.tsx";
import { Columns } from "../../parts/page-layout.tsx";
import { Panel } from "../../parts/panel.tsx";
import { Untrusted } from "../../parts/untrusted.tsx";
import { EMPTY_DRAFT, planStart } from "../new-session/plan-start.ts";
import { useStart } from "../new-session/use-start.ts";
import { Findings } from "./findings.tsx";
import { NoProject } from "./no-project.tsx";

const MOST_ISSUES = 7;
const STAGES = [
  ["task", "you"],
  ["works in its own worktree", "the agent"],
  ["checks run on every commit", "ao"],
  ["failures go back to it", "ao"],
  ["review, then merge", "you"],
] as const;

/** A fleet without sessions: a field for the first task, open issues, and what was detected. */
export function FirstRun() {
  const wanted = useProject();
  const projects = useQuery(projectsQuery()).data?.data;
  if (projects === undefined) return null;
  const project = wanted ?? projects[0]?.id ?? null;
  return (
    <Columns
      left={
        <div className="first-run">
          <h2 className="first-run-title">Start your first agent</h2>
          <p className="first-run-lead">
            Each agent works in its own worktree and branch. Your checkout stays untouched, and nothing merges without
            you.
          </p>
          {project === null ? <NoProject /> : <FirstTask project={project} />}
        </div>
      }
      right={
        <>
          {project === null ? null : <Findings title="What ao found" />}
          <Panel title="From task to main">
            <ol>
              {STAGES.map(([stage, who]) => (
                <li key={stage} className="stage">
                  {stage} <span className={who === "you" ? "small you" : "small ink-3"}>{who}</span>
                </li>
              ))}
            </ol>
          </Panel>
        </>
      }
    />
  );
}

function FirstTask({ project }: { readonly project: string }) {
  const [, navigate] = useLocation();
  const href = useHref();
  const [text, setText] = useState("");
  const { isBusy, refusals, start } = useStart(project);
  const issues = useQuery(issuesQuery(project)).data?.data ?? [];
  const run = async (what: { readonly text?: string; readonly issues?: readonly string[] }): Promise<void> => {
    const { created } = await start(planStart({ ...EMPTY_DRAFT, ...what }, project, false));
    const [id] = created;
    if (id !== undefined) navigate(href(`/s/${id}`));
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) void run({ text });
  };
  return (
    <>
      <div className="first-run-prompt">
        <textarea
          className="input"
          rows={3}
          aria-label={`What should it do in ${project}?`}
          placeholder={`What should it do in ${project}?`}
          value={text}
          onChange={({ target }) => setText(target.value)}
          onKeyDown={onKeyDown}
        />
        <Button
          kind="primary"
          size="verdict"
          hint="Ctrl Enter"
          disabled={isBusy || text.trim() === ""}
          onClick={() => void run({ text })}
        >
          Start
        </Button>
      </div>
      {refusals.map(({ name, error }) => (
        <Failure key={name} error={error} />
      ))}
      {issues.length === 0 ? null : (
        <section aria-label="Open issues">
          <h3 className="strong">Or pick an open issue</h3>
          <ul>
            {listIssues(issues, [])
              .slice(0, MOST_ISSUES)
              .map((one) => (
                <li key={one.issue.id} className="first-run-issue">
                  <code className="ink-3">{one.issue.id}</code>
                  <Untrusted text={one.issue.title} />
                  <span className="small ink-3">{describeIssue(one)}</span>
                  <Button
                    disabled={isBusy || one.blockedBy.length > 0}
                    aria-label={`Start issue ${one.issue.id}`}
                    onClick={() => void run({ issues: [one.issue.id] })}
                  >
                    Start
                  </Button>
                </li>
              ))}
          </ul>
        </section>
      )}
      <p className="small ink-3">
        From a terminal: <code>ao new "Fix the login"</code> or <code>ao spawn {issues[0]?.id ?? "1"}</code>
      </p>
    </>
  );
}
