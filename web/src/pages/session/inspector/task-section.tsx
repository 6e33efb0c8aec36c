import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { SessionDetailView } from "../../../../../src/protocol/views/session.ts";
import { issueQuery } from "../../../data/session-queries.ts";
import { Markdown } from "../../../parts/markdown.tsx";
import { Section } from "./section.tsx";

/** The session's issue; a task without one is the first message of its transcript. */
export function TaskSection({ session }: { readonly session: SessionDetailView }) {
  return session.issue === null ? null : <IssueSection projectId={session.projectId} issue={session.issue} />;
}

function IssueSection({ projectId, issue }: { readonly projectId: string; readonly issue: string }) {
  const { data } = useQuery(issueQuery(projectId, issue));
  const [isOpen, setOpen] = useState(false);
  const body = data?.body.trim() ?? "";
  return (
    <Section title="Task" aside={`issue ${issue}`}>
      {body === "" ? null : (
        <>
          <div className={isOpen ? "" : "inspector-clamp"}>
            <Markdown text={body} />
          </div>
          {body.length > 160 ? (
            <button
              type="button"
              className="inspector-text ink-3"
              aria-expanded={isOpen}
              onClick={() => setOpen(!isOpen)}
            >
              {isOpen ? "less" : "more"}
            </button>
          ) : null}
        </>
      )}
    </Section>
  );
}
