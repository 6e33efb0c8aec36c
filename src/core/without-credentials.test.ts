import { expect, it } from "vitest";
import { withoutCredentials } from "./without-credentials.ts";

it.each([
  ["https://github.com/octo/app.git", "https://github.com/octo/app.git"],
  ["https://ada:secret@github.com/octo/app.git", "https://github.com/octo/app.git"],
  ["https://ghp_secret@github.com/octo/app", "https://github.com/octo/app"],
  ["HTTP://x:secret@host:8080/app?a=b@c", "HTTP://host:8080/app?a=b@c"],
  ["https://ada:sec@ret@host/app", "https://host/app"],
  ["https://host/@scope/app", "https://host/@scope/app"],
  ["ssh://git@github.com:22/octo/app.git", "ssh://git@github.com:22/octo/app.git"],
  ["ssh://git:secret@github.com/octo/app.git", "ssh://git@github.com/octo/app.git"],
  ["git@github.com:octo/app.git", "git@github.com:octo/app.git"],
  ["/srv/a@b/app.git", "/srv/a@b/app.git"],
  ["octo/app", "octo/app"],
])("%s is shown as %s", (url, shown) => {
  expect(withoutCredentials(url)).toBe(shown);
});
