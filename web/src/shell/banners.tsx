import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { useConnection } from "../data/connection.ts";
import { pausesQuery, projectsQuery, warningsQuery } from "../data/queries.ts";
import { usePause } from "../data/use-pause.ts";
import { formatClock } from "../lib/time.ts";
import { Button } from "../parts/button.tsx";
import { MarkShape } from "../parts/state-mark.tsx";
import { UntrustedBlock } from "../parts/untrusted.tsx";

/** Reports that the daemon is gone, what still works, and when the next attempt is. */
export function OfflineBanner({ onRetry }: { readonly onRetry: () => void }) {
  const { state, heardAt, retryAt } = useConnection();
  if (state !== "lost") return null;
  const since = heardAt === null ? "" : ` at ${formatClock(heardAt, { seconds: true })}`;
  return (
    <div className="bar banner banner-bad" role="alert">
      <MarkShape mark="escalated" />
      <p>
        <strong>Lost connection to ao{since}.</strong>{" "}
        <span className="ink-2">
          {heardAt === null ? "" : "Showing the last known state. "}Agents keep running, drafts are saved; actions
          return when it reconnects.
        </span>
      </p>
      {retryAt === null ? null : <Countdown key={retryAt} until={retryAt} />}
      <Button onClick={onRetry}>Retry now</Button>
      <code className="banner-command">ao start</code>
    </div>
  );
}

/** The page's clock stops while the daemon is gone, so this one has its own. */
function Countdown({ until }: { readonly until: number }) {
  const [now, setNow] = useState(Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 500);
    return () => clearInterval(timer);
  }, []);
  return <span className="small ink-2">retrying in {Math.max(0, Math.ceil((until - now) / 1_000))} s</span>;
}

/** Says what works and still needs a look: a clock that was set back, a repository that is gone, programs that git would start. */
export function WarningBar() {
  const { data = [] } = useQuery(warningsQuery());
  return data.map((text) => (
    <div key={text} className="bar banner" role="status">
      <MarkShape mark="setup-failed" />
      <p>
        <UntrustedBlock text={text} />
      </p>
    </div>
  ));
}

/** Shows what is paused and what that means. */
export function PausedBar() {
  const { data } = useQuery(pausesQuery());
  const projects = useQuery(projectsQuery()).data?.data ?? [];
  const { isPaused, label, isSaving, toggle } = usePause();
  const paused = projects.filter(({ id }) => data?.pausedProjects.includes(id) === true);
  // The names may not be loaded yet.
  const isEverything = data?.paused === true || paused.length === 0;
  if (!isPaused && paused.length === 0) return null;
  return (
    <div className="bar banner" role="status">
      <MarkShape mark="paused" />
      <p>
        <strong>Paused{isEverything ? "" : ` in ${paused.map(({ name }) => name).join(", ")}`}.</strong>{" "}
        <span className="ink-2">Agents finish their turn; nothing is sent or merged.</span>
      </p>
      {isPaused ? (
        <Button onClick={toggle} disabled={isSaving} hint="Shift P">
          {label}
        </Button>
      ) : null}
    </div>
  );
}
