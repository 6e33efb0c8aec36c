import "./train-panel.css";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { ProjectView } from "../../../../src/protocol/views/project.ts";
import { call } from "../../data/call.ts";
import { pullRequestsQuery, trainQuery } from "../../data/project-queries.ts";
import { Button } from "../../parts/button.tsx";
import { CheckMarks } from "../../parts/check-marks.tsx";
import { Empty } from "../../parts/empty.tsx";
import { PageLink } from "../../parts/page-link.tsx";
import { Panel } from "../../parts/panel.tsx";
import { MarkShape } from "../../parts/state-mark.tsx";
import { Phrase, Untrusted } from "../../parts/untrusted.tsx";
import { newestFirst } from "./project-state.ts";
import { type TrainCar, trainCars } from "./train.ts";

const MERGED = 4;

/** Main on the left, and the pull requests that join it from the right. */
export function TrainPanel({ project }: { readonly project: Pick<ProjectView, "id" | "defaultBranch"> }) {
  const { data, error, refetch } = useQuery(trainQuery(project.id));
  const pulls = newestFirst(useQuery(pullRequestsQuery(project.id)).data?.data ?? []);
  const train = data?.data[0];
  if (train?.isOn === false || (train === undefined && error === null)) return null;
  const merged = pulls.filter(({ phase }) => phase === "merged").slice(0, MERGED);
  const cars =
    train === undefined
      ? []
      : trainCars(
          train,
          pulls.filter(({ phase }) => phase === "open"),
        );
  const pausedBy = train?.pausedBy ?? null;
  return (
    <Panel
      title="Merge train"
      note={pausedBy === null ? `checks exactly what ${project.defaultBranch} becomes` : `paused by ${pausedBy}`}
      aside={<PauseTrain project={project.id} isPaused={pausedBy !== null} />}
      error={error}
      onRetry={() => void refetch()}
    >
      {cars.length === 0 ? <Empty title="Nothing to merge" /> : null}
      <div className="train">
        <ol className="train-past small ink-3">
          {merged.toReversed().map(({ number }) => (
            <li key={number}>
              <MarkShape mark="ready" />#{number}
            </li>
          ))}
        </ol>
        {cars.map((car) => (
          <Car key={car.number} project={project.id} car={car} />
        ))}
      </div>
    </Panel>
  );
}

function Car({ project, car }: { readonly project: string; readonly car: TrainCar }) {
  return (
    <article className={car.isAboard ? "train-car train-aboard" : "train-car"}>
      <header className="train-head small">
        <span className={car.tone}>{car.place}</span>
        <Untrusted text={car.sessionId ?? ""} className="mono ink-3 from-end" />
      </header>
      <PageLink href={`/p/${project}/pr/${car.number}`} className="strong one-line">
        #{car.number} <Untrusted text={car.title} />
      </PageLink>
      <Phrase text={car.note} className="small ink-3" />
      {car.checks.length === 0 ? null : <CheckMarks checks={car.checks} />}
    </article>
  );
}

function PauseTrain({ project, isPaused }: { readonly project: string; readonly isPaused: boolean }) {
  const queries = useQueryClient();
  const { mutate, isPending } = useMutation<unknown>({
    mutationFn: () => call("POST /api/train/:project", { params: { project }, input: { paused: !isPaused } }),
    onSuccess: () => queries.invalidateQueries({ queryKey: trainQuery(project).queryKey }),
  });
  return (
    <Button kind="quiet" disabled={isPending} onClick={() => mutate()}>
      {isPaused ? "Resume train" : "Pause train"}
    </Button>
  );
}
