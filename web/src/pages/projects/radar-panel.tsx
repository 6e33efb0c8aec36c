import "./radar-panel.css";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { ProjectView } from "../../../../src/protocol/views/project.ts";
import type { CollisionView } from "../../../../src/protocol/views/radar.ts";
import { radarQuery } from "../../data/project-queries.ts";
import { sessionsQuery } from "../../data/queries.ts";
import { Empty } from "../../parts/empty.tsx";
import { PageLink } from "../../parts/page-link.tsx";
import { Panel } from "../../parts/panel.tsx";
import { Untrusted } from "../../parts/untrusted.tsx";
import { describeRadar, nameSides, type RadarRow, radarRows } from "./radar.ts";

/** Which sessions would conflict with each other or with the base, as a triangle of pairs. */
export function RadarPanel({ project }: { readonly project: ProjectView }) {
  const { data, error, refetch } = useQuery(radarQuery(project.id));
  const sessions = useQuery(sessionsQuery()).data?.data ?? [];
  const [chosen, choose] = useState<string | null>(null);
  const collisions = data?.data ?? [];
  const ids = sessions.filter(({ projectId }) => projectId === project.id).map(({ id }) => id);
  const rows = radarRows(collisions, ids);
  const shown = collisions.find((one) => nameSides(one, project.defaultBranch) === chosen) ?? collisions[0];
  return (
    <Panel title="Collision radar" note={describeRadar(collisions)} error={error} onRetry={() => void refetch()}>
      {rows.length < 2 ? <Empty title="No session to compare" /> : null}
      {rows.length < 2 ? null : (
        <div className="radar">
          <div className="radar-grid">
            {rows.map((row) => (
              <Row key={row.session ?? ""} row={row} base={project.defaultBranch} shown={shown} onChoose={choose} />
            ))}
          </div>
          {shown === undefined ? null : <Collision collision={shown} base={project.defaultBranch} />}
        </div>
      )}
    </Panel>
  );
}

interface RowProps {
  readonly row: RadarRow;
  readonly base: string;
  readonly shown: CollisionView | undefined;
  readonly onChoose: (sides: string) => void;
}

function Row({ row, base, shown, onChoose }: RowProps) {
  return (
    <div className="radar-row">
      <Untrusted text={row.session ?? base} className="mono radar-name from-end" />
      {row.cells.map(({ key, collision }) => {
        if (collision === null) return <span key={key} className="radar-cell radar-clear" aria-hidden="true" />;
        const sides = nameSides(collision, base);
        return (
          <button
            key={key}
            type="button"
            className="radar-cell radar-hit"
            aria-pressed={collision === shown}
            aria-label={`${sides} conflict in ${collision.files.length} files`}
            title={sides}
            onClick={() => onChoose(sides)}
          >
            {collision.files.length}
          </button>
        );
      })}
    </div>
  );
}

function Collision({ collision, base }: { readonly collision: CollisionView; readonly base: string }) {
  const { session, other, files } = collision;
  return (
    <div className="small">
      <p className="strong">
        <PageLink href={`/s/${session}`} className="link">
          {session}
        </PageLink>{" "}
        and{" "}
        {other === null ? (
          base
        ) : (
          <PageLink href={`/s/${other}`} className="link">
            {other}
          </PageLink>
        )}
      </p>
      <p className="ink-3">conflict in {files.length === 1 ? "1 file" : `${files.length} files`}</p>
      <ul className="radar-files">
        {files.map((file) => (
          <li key={file} className="mono one-line">
            <Untrusted text={file} />
          </li>
        ))}
      </ul>
    </div>
  );
}
