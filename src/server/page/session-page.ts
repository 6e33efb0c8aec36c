import { html } from "hono/html";
import { describeCost } from "../../core/cost/format.ts";
import type { EventView } from "../../protocol/views/event.ts";
import type { PullRequestDetailView } from "../../protocol/views/pull-request.ts";
import type { SessionDetailView } from "../../protocol/views/session.ts";
import { renderBadge } from "./badge.ts";
import { type Html, renderPage } from "./layout.ts";
import { renderAge, renderTimeline } from "./moment.ts";
import { renderPullRequestDetail } from "./pull-request.ts";
import { renderQuestion } from "./question.ts";
import { REFRESH_S } from "./sessions-page.ts";

export interface SessionPage {
  readonly session: SessionDetailView;
  readonly pullRequests: readonly PullRequestDetailView[];
  readonly events: readonly EventView[];
  readonly now: number;
}

/** One session: what it does and why we think so, its pull requests in full, and its timeline. */
export function renderSessionPage(page: SessionPage): Html {
  const { session } = page;
  return renderPage(
    { title: `${session.id}: ${session.status} · ao`, refresh: REFRESH_S },
    html`<h1>${session.title} ${renderBadge(session.status)}</h1>
<p>${session.evidence}</p>
${renderOpenQuestion(session)}
<dl>
<dt>Session</dt><dd>${session.id}</dd>
<dt>Project</dt><dd>${session.projectId}</dd>
${session.issue === null ? "" : html`<dt>Issue</dt><dd>${session.issue}</dd>`}
<dt>Agent</dt><dd>${session.agent} (${session.runtime}), ${session.agentStatus}</dd>
<dt>Branch</dt><dd><code>${session.branch}</code></dd>
${session.workspacePath === null ? "" : html`<dt>Folder</dt><dd><code>${session.workspacePath}</code></dd>`}
<dt>Cost</dt><dd>${describeCost(session.cost) ?? "nothing yet"}</dd>
<dt>Started</dt><dd>${renderAge(session.createdAt, page.now)}</dd>
</dl>
${session.summary === null ? "" : html`<p class="text">${session.summary}</p>`}
${[...page.pullRequests].reverse().map(renderPullRequestDetail)}
<section aria-labelledby="timeline">
<h2 id="timeline">Timeline <span class="quiet">UTC</span></h2>
${renderTimeline(page.events)}
</section>`,
  );
}

function renderOpenQuestion({ id, question }: SessionDetailView): Html | string {
  if (question === null) return "";
  return html`<section class="notice" aria-labelledby="question">
<h2 id="question">${question.kind === "permission" ? "Needs your permission" : "Asks you"}</h2>
${renderQuestion(id, question)}
</section>`;
}
