import { html } from "hono/html";
import type { EventView } from "../../protocol/views/event.ts";
import type { Html } from "./layout.ts";

/** How long ago, in its largest unit. */
export function renderAge(at: string, now: number): Html {
  const seconds = Math.max(0, Math.floor((now - Date.parse(at)) / 1000));
  const [count, unit] =
    seconds < 60
      ? [seconds, "s"]
      : seconds < 3600
        ? [Math.floor(seconds / 60), "min"]
        : seconds < 86_400
          ? [Math.floor(seconds / 3600), "h"]
          : [Math.floor(seconds / 86_400), "d"];
  return html`<time datetime="${at}">${count} ${unit} ago</time>`;
}

/** Events as a list, newest last. */
export function renderTimeline(events: readonly EventView[]): Html {
  if (events.length === 0) return html`<p class="quiet">Nothing has happened yet.</p>`;
  return html`<ol class="timeline">
${events.map(
  (event) => html`<li><time datetime="${event.at}">${event.at.slice(11, 19)}</time> <span>${event.text}</span></li>
`,
)}</ol>`;
}
