import "./first-run.css";
import { useQuery } from "@tanstack/react-query";
import type { FindingView } from "../../../../src/protocol/views/daemon.ts";
import { doctorQuery } from "../../data/project-queries.ts";
import { Panel } from "../../parts/panel.tsx";
import { Phrase } from "../../parts/untrusted.tsx";

const MARKS: Readonly<Record<FindingView["state"], { readonly mark: string; readonly tone: string }>> = {
  ok: { mark: "✓", tone: "good" },
  warn: { mark: "△", tone: "you" },
  fail: { mark: "✗", tone: "bad" },
};

/** The daemon's findings about the machine and the projects' agents, with fixes. */
export function Findings({ title }: { readonly title: string }) {
  const { data, error, refetch } = useQuery(doctorQuery());
  return (
    <Panel title={title} error={error} onRetry={() => void refetch()}>
      <ul>
        {data?.data.map(({ name, state, text, fix }) => (
          <li key={name} className="finding">
            <span className={MARKS[state].tone} role="img" aria-label={state}>
              {MARKS[state].mark}
            </span>
            <Phrase text={name} />
            <Phrase text={text} className="small ink-3" />
            {fix === null ? null : <Phrase text={fix} className="small ink-2" />}
          </li>
        ))}
      </ul>
    </Panel>
  );
}
