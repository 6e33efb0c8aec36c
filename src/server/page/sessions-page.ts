import { html } from "hono/html";
import type { EventView } from "../../protocol/views/event.ts";
import type { InboxView } from "../../protocol/views/inbox.ts";
import type { SessionView } from "../../protocol/views/session.ts";
import { renderBadge } from "./badge.ts";
import { type Html, renderPage } from "./layout.ts";
import { renderAge, renderTimeline } from "./moment.ts";
import { renderPullRequest } from "./pull-request.ts";
import { renderQuestion } from "./question.ts";

export const REFRESH_S = 2;

export interface SessionsPage {
  readonly open: readonly { readonly session: SessionView; readonly events: readonly EventView[] }[];
  /** Stopped ones, the newest first. */
  readonly stopped: readonly SessionView[];
  readonly inbox: readonly InboxView[];
  readonly paused: boolean;
  readonly now: number;
}

/** The first page: what waits for a person, every session with its pull requests, and what happened last. */
export function renderSessionsPage(page: SessionsPage): Html {
  const count = page.open.length;
  return renderPage(
    { title: `${count} ${count === 1 ? "session" : "sessions"} · ao`, refresh: REFRESH_S },
    html`<h1>Sessions</h1>
${page.paused ? html`<p class="notice">Paused: nothing is started, sent or merged. <code>ao resume</code> goes on.</p>` : ""}
${renderInbox(page)}
${count === 0 ? html`<p>No session is open. Start one: <code>ao new "Fix the login form"</code></p>` : ""}
${page.open.map(({ session, events }) => renderCard(session, events, page.now))}
${renderStopped(page)}`,
  );
}

function renderInbox({ inbox, now }: SessionsPage): Html | string {
  if (inbox.length === 0) return "";
  return html`<section class="notice" aria-labelledby="inbox">
<h2 id="inbox">Needs you</h2>
<ul>
${inbox.map((item) => renderItem(item, now))}</ul>
</section>`;
}

function renderItem(item: InboxView, now: number): Html {
  const { question } = item;
  const age = html`<span class="quiet">${question?.kind ?? item.kind}, ${renderAge(item.at, now)}</span>`;
  if (question === null) {
    return html`<li>${item.text} ${age}<br><code>${item.act}</code></li>
`;
  }
  const link = `/sessions/${encodeURIComponent(item.sessionId)}`;
  return html`<li><a href="${link}">${item.sessionId}</a> ${age}
${renderQuestion(item.sessionId, question)}</li>
`;
}

function renderCard(session: SessionView, events: readonly EventView[], now: number): Html {
  const { id } = session;
  return html`<article class="card" aria-labelledby="s-${id}">
<h2 id="s-${id}"><a href="/sessions/${encodeURIComponent(id)}">${session.title}</a> ${renderBadge(session.status)}</h2>
<p class="quiet">${id} · ${session.agent} · <code>${session.branch}</code> · ${renderAge(session.createdAt, now)}</p>
<p>${session.evidence}</p>
${session.pullRequests.map((pull) => renderPullRequest(pull, session.evidence))}
<h3>Last events <span class="quiet">UTC</span></h3>
${renderTimeline(events)}
</article>`;
}

function renderStopped({ stopped, now }: SessionsPage): Html | string {
  if (stopped.length === 0) return "";
  return html`<h2>Finished</h2>
<div class="scroll"><table>
<caption class="hidden">Sessions that have stopped</caption>
<thead><tr><th scope="col">Session</th><th scope="col">Status</th><th scope="col">Pull request</th><th scope="col">When</th></tr></thead>
<tbody>
${stopped.map(
  (session) => html`<tr><th scope="row"><a href="/sessions/${encodeURIComponent(session.id)}">${session.title}</a></th>
<td>${renderBadge(session.status)}</td>
<td>${session.pullRequests.map(({ number }) => `#${number}`).join(", ")}</td>
<td>${renderAge(session.updatedAt, now)}</td></tr>
`,
)}</tbody></table></div>`;
}
