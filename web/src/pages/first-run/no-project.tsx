import { Empty } from "../../parts/empty.tsx";

/** The only thing to do without a project. */
export function NoProject() {
  return (
    <Empty title="No project yet">
      <p>
        Run <code>ao start</code> in a git repository, or <code>ao add-project PATH</code>. It writes{" "}
        <code>agent-orchestrator.yaml</code> and appears here immediately.
      </p>
    </Empty>
  );
}
