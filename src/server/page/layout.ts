import { html } from "hono/html";

/** A piece of a page; everything that is put into it is escaped. */
export type Html = ReturnType<typeof html>;

export interface PageOptions {
  readonly title: string;
  /** Seconds after which the browser asks again; absent: never. */
  readonly refresh?: number;
}

/** A whole page around its main part. */
export function renderPage(options: PageOptions, main: Html): Html {
  const refresh = options.refresh === undefined ? "" : html`<meta http-equiv="refresh" content="${options.refresh}">`;
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
${refresh}
<title>${options.title}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/style.css">
</head>
<body>
<a class="skip" href="#main">Skip to the content</a>
<header><a class="brand" href="/">ao</a></header>
<main id="main">
${main}
</main>
</body>
</html>
`;
}

/** A page that says one thing: no access, not found. */
export function renderNotice(title: string, text: string, hint: string | null): Html {
  return renderPage(
    { title: `${title} · ao` },
    html`<h1>${title}</h1>
<p>${text}</p>
${hint === null ? "" : html`<p>${withCode(hint)}</p>`}
<p><a href="/">Try again</a></p>`,
  );
}

/** What stands in backticks as code. */
export function withCode(text: string): readonly (Html | string)[] {
  return text.split("`").map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : part));
}
