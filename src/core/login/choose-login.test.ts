import { expect, it } from "vitest";
import { chooseLogin } from "./choose-login.ts";

const NOW = 1000;
const own = (digest: string | null, changedAt = 100): { digest: string | null; changedAt: number } => ({
  digest,
  changedAt,
});
const offer = (digest: string | null, changedAt: number, base: string | null = "old") => ({ digest, changedAt, base });

it.each([
  ["nothing changed", own("old"), [offer(null, 0)], null],
  ["one session refreshed", own("old"), [offer(null, 0), offer("new", 50)], 1],
  ["two sessions refreshed: the later", own("old"), [offer("new", 300), offer("newer", 400), offer("new", 200)], 1],
  ["the user logged in later", own("other", 500), [offer("new", 400)], null],
  ["the user logged in earlier", own("other", 300), [offer("new", 400)], 0],
  ["the user logged in, and an agent wrote a time in the future", own("other", 300), [offer("new", 5000)], null],
  ["a time in the future is no refusal", own("old"), [offer("new", 5000)], 0],
  ["a time in the future loses", own("old"), [offer("evil", 5000), offer("new", 50)], 1],
  ["the user has none, as after a failed refresh", own(null), [offer("new", 400)], 0],
  ["first login of all", own(null), [offer("new", 400, null)], 0],
  ["everybody has it already", own("new"), [offer("new", 400)], null],
])("%s", (_, user, offers, chosen) => {
  expect(chooseLogin(user, offers, NOW)).toBe(chosen);
});
