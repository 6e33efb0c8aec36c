import "./dry-run.css";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Check, TriangleAlert } from "lucide-react";
import { useEffect, useState } from "react";
import type { DryRunRowView, DryRunView } from "../../../../src/protocol/views/dry-run.ts";
import { dryRunQuery } from "../../data/settings-queries.ts";
import { Failure } from "../../parts/failure-notice.tsx";
import { PageLink } from "../../parts/page-link.tsx";
import { Phrase, Untrusted } from "../../parts/untrusted.tsx";
import { pullRequestPath, sessionPath } from "../fleet/need-buttons.ts";
import { describeDryRunRow, describeEffort, describeRest, describeWindow } from "./describe-dry-run.ts";
import type { ConfigEditing } from "./use-config.ts";

interface Props {
  readonly project: string | null;
  readonly editing: ConfigEditing;
}

/** What the edited rules would have done in the last days. The text is checked first, so its pause in typing counts here too. */
export function DryRun({ project, editing: { triable, preview } }: Props) {
  const { data, error, refetch, isFetching } = useQuery({
    ...dryRunQuery(project, triable ?? ""),
    enabled: triable !== null,
    placeholderData: keepPreviousData,
    retry: false,
  });
  const isPending = isFetching || triable === null;
  // Invalid texts and new comments cannot change a rule.
  const hasChanges = preview !== undefined && preview.problems.length === 0 && preview.changes.length > 0;
  return (
    <section className="dry-run" aria-label="Dry run" aria-live="polite" aria-busy={hasChanges && isPending}>
      {hasChanges ? (
        <DryRunBody data={data} error={isPending ? null : error} isPending={isPending} onRetry={() => void refetch()} />
      ) : null}
    </section>
  );
}

interface BodyProps {
  readonly data: DryRunView | undefined;
  readonly error: Error | null;
  readonly isPending: boolean;
  readonly onRetry: () => void;
}

/** One of: the failure, the rows, no rule changes, or nothing yet. */
export function DryRunBody({ data, error, isPending, onRetry }: BodyProps) {
  if (error !== null) return <Failure error={error} onRetry={onRetry} />;
  if (data === undefined) return isPending ? <Placeholder /> : null;
  if (data.projects.length === 0) return <p className="dry-run-line small ink-3">No rule changes</p>;
  const isBad = data.data.some(({ kind }) => kind === "bad");
  return (
    <>
      <header className="dry-run-header">
        {isBad ? (
          <TriangleAlert className="bad" size={14} aria-hidden="true" />
        ) : (
          <Check className="good" size={14} aria-hidden="true" />
        )}
        <h3 className="strong">{describeWindow(data, Date.now())}</h3>
        <span className="small ink-3">{isPending ? "checking …" : describeEffort(data)}</span>
      </header>
      <ul className="dry-run-rows" aria-label="Differences">
        {data.data.length === 0 ? (
          <Same />
        ) : (
          data.data.map((row) => <Row key={`${row.kind} ${row.reason}`} row={row} />)
        )}
      </ul>
      {data.data.length === 0 ? null : (
        <p className="dry-run-note small ink-3">Estimate: what agents and people did stays as recorded.</p>
      )}
    </>
  );
}

function Same() {
  return (
    <li>
      <span className="dry-run-figure">0</span>
      <span>differences from the rules in force</span>
    </li>
  );
}

function Row({ row }: { readonly row: DryRunRowView }) {
  const { text, fate } = describeDryRunRow(row);
  return (
    <li className={row.kind === "bad" ? "bad" : undefined}>
      <span className="dry-run-figure">{row.count.toLocaleString("en-US")}</span>
      <span className="dry-run-text">
        <Phrase text={fate === null ? text : `${text}:`} />{" "}
        <span className={fate === null ? "dry-run-examples small ink-3" : "dry-run-examples"}>
          {row.examples.map((example, at) => (
            <span key={`${example.pullRequest} ${example.session} ${example.text}`}>
              {at === 0 ? "" : ", "}
              <Example example={example} />
            </span>
          ))}
          {describeRest(row)}
          {fate === null || fate === "" ? null : `, ${fate}`}
        </span>
      </span>
    </li>
  );
}

function Example({ example }: { readonly example: DryRunRowView["examples"][number] }) {
  const { pullRequest, session, name, text } = example;
  const title = text ?? pullRequest ?? name;
  if (pullRequest !== null)
    return (
      <PageLink href={pullRequestPath(pullRequest)} title={title}>
        {name}
      </PageLink>
    );
  if (session === null) return <Untrusted text={name} />;
  return (
    <PageLink href={sessionPath(session)} title={title}>
      {name}
    </PageLink>
  );
}

const DELAY_MS = 300;

/** Nothing at first, then the heading with empty rows. */
function Placeholder() {
  const [isLate, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), DELAY_MS);
    return () => clearTimeout(timer);
  }, []);
  if (!isLate) return null;
  return (
    <>
      <header className="dry-run-header">
        <h3 className="strong">Dry run on the last 7 days</h3>
      </header>
      <ul className="dry-run-rows" aria-hidden="true">
        {["72%", "40%"].map((width) => (
          <li key={width}>
            <i className="dry-run-bone" />
            <i className="dry-run-bone" style={{ width }} />
          </li>
        ))}
      </ul>
    </>
  );
}
