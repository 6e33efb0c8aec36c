import { html } from "hono/html";
import { shortCommit } from "../../core/hash.ts";
import type {
  CheckView,
  PullRequestDetailView,
  PullRequestView,
  ThreadView,
} from "../../protocol/views/pull-request.ts";
import { renderBadge } from "./badge.ts";
import type { Html } from "./layout.ts";

const FAILED = ["failed", "timed-out", "setup-failed", "unknown"];

/** A pull request in a few lines: what it is, how it stands, its checks. `said` is what stands above it already. */
export function renderPullRequest(pull: PullRequestView, said: string): Html {
  return html`<div class="pull">
<p><strong>#${pull.number}</strong> ${pull.title} ${renderBadge(pull.status)}</p>
${pull.evidence === said ? "" : html`<p class="quiet">${pull.evidence}</p>`}
${renderChecks(pull.checks)}
</div>`;
}

/** A pull request with reviews, threads, problems and the logs of what failed. */
export function renderPullRequestDetail(pull: PullRequestDetailView): Html {
  return html`<section aria-labelledby="pr-${pull.number}">
<h2 id="pr-${pull.number}">Pull request #${pull.number} ${renderBadge(pull.status)}</h2>
<p>${pull.evidence}</p>
<dl>
<dt>Branch</dt><dd><code>${pull.branch}</code> into <code>${pull.base}</code>, at <code>${shortCommit(pull.head)}</code></dd>
${pull.approvals.length === 0 ? "" : html`<dt>Approved by</dt><dd>${pull.approvals.join(", ")}</dd>`}
${pull.labels.length === 0 ? "" : html`<dt>Labels</dt><dd>${pull.labels.join(", ")}</dd>`}
${pull.mergeCommit === null ? "" : html`<dt>Merged as</dt><dd><code>${shortCommit(pull.mergeCommit)}</code></dd>`}
</dl>
${pull.body === null ? "" : html`<p class="text">${pull.body}</p>`}
${renderList("Blocking merge", pull.blockers)}
${renderList(
  "Problems",
  pull.problems.map(({ text, messages }) => `${text}${messages === 0 ? "" : ` (${messages} sent to the agent)`}`),
)}
${renderChecks(pull.checks)}
${pull.checks.filter(({ state }) => FAILED.includes(state)).map((check) => renderLog(check, pull.logs[check.name] ?? ""))}
${renderReviews(pull)}
</section>`;
}

function renderChecks(checks: readonly CheckView[]): Html | string {
  if (checks.length === 0) return "";
  return html`<div class="scroll"><table>
<caption>Checks</caption>
<thead><tr><th scope="col">Check</th><th scope="col">Result</th><th scope="col">Took</th></tr></thead>
<tbody>
${checks.map(
  (
    check,
  ) => html`<tr><th scope="row">${check.name}${check.required ? "" : html` <span class="quiet">optional</span>`}</th>
<td>${renderBadge(check.state)}</td><td>${check.tookMs === null ? "" : `${(check.tookMs / 1000).toFixed(1)} s`}</td></tr>
`,
)}</tbody></table></div>`;
}

function renderLog(check: CheckView, log: string): Html | string {
  if (log.trim() === "") return "";
  return html`<h3>Log of ${check.name}</h3>
<pre tabindex="0">${log}</pre>`;
}

function renderReviews(pull: PullRequestDetailView): Html | string {
  if (pull.reviews.length === 0) return "";
  return html`<h3>Reviews</h3>
${pull.reviews.map(
  (review) => html`<article class="review">
<p><strong>${review.author}</strong> ${renderBadge(review.verdict)} <span class="quiet">at ${shortCommit(review.head)}</span></p>
${review.body === null ? "" : html`<p class="text">${review.body}</p>`}
${pull.threads.filter(({ reviewId }) => reviewId === review.id).map(renderThread)}
</article>`,
)}`;
}

function renderThread(thread: ThreadView): Html {
  const place = thread.path === null ? "" : `${thread.path}${thread.line === null ? "" : `:${thread.line}`}`;
  return html`<div class="thread">
<p class="quiet">${place} thread ${thread.id}${thread.resolvedBy === null ? "" : `, resolved by ${thread.resolvedBy}`}</p>
${thread.comments.map((comment) => html`<p class="text"><strong>${comment.author}:</strong> ${comment.text}</p>`)}
</div>`;
}

function renderList(title: string, items: readonly string[]): Html | string {
  if (items.length === 0) return "";
  return html`<h3>${title}</h3>
<ul>${items.map((item) => html`<li>${item}</li>`)}</ul>`;
}
