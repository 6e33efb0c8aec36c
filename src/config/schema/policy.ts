import { z } from "zod";
import { PATH_RULES } from "../../core/policy.ts";
import { FIGURES } from "../figures.ts";
import { key } from "./key.ts";
import { CheckSandbox } from "./plugin-ref.ts";
import { Count, Duration } from "./scalar.ts";

const TIME = /^(?:[01]\d|2[0-3]):[0-5]\d$/;
const TIME_MESSAGE = 'expected a time of day such as "22:00", in quotes';
const QUIET = /^(?:[01]\d|2[0-3]):[0-5]\d-(?:[01]\d|2[0-3]):[0-5]\d(?: [A-Za-z0-9_+\-/]+)?$/;

const TimeOfDay = z.string({ error: TIME_MESSAGE }).regex(TIME, TIME_MESSAGE);

/** When nothing is merged. */
const QuietHours = z.union(
  [
    z.string().regex(QUIET),
    z.strictObject({
      from: TimeOfDay.describe("Start, HH:MM."),
      to: TimeOfDay.describe("End, HH:MM; may be on the next day."),
      timeZone: key(z.string(), "IANA time zone; default: the daemon's."),
    }),
  ],
  { error: 'expected "22:00-07:00 Europe/Berlin", or an object with from, to and timeZone' },
);

/** What must hold before a merge. */
export const Policies = z
  .strictObject({
    approvals: key(z.int().min(0), "Approvals that a merge needs; with 0, green checks are enough.", FIGURES.approvals),
    checks: key(z.array(z.string()), "Checks that must pass, by name."),
    paths: key(
      z.record(z.string(), z.enum(PATH_RULES)),
      "Globs of paths. human: a person must approve them. none: lifts the built-in rule by which a person must approve files that decide what ao, its checks and its agents do.",
    ),
    maxFiles: key(Count, "More changed files than this need a person."),
    maxLines: key(Count, "More changed lines than this need a person."),
    blockLabels: key(z.array(z.string()), "Labels that block a merge."),
    quietHours: key(QuietHours, "When nothing is merged."),
    rules: key(
      z.array(
        z.strictObject({
          unless: z.string().describe("CEL expression; the merge waits unless it is true."),
          say: z.string().describe("The reason, for people."),
        }),
      ),
      "Your own rules.",
    ),
  })
  .meta({ id: "Policies" });

/** How the local forge orders requested merges. */
export const Train = z
  .strictObject({
    enabled: key(z.boolean(), "Check the exact result of each merge before it happens, one after another.", true),
    batch: key(
      z.int().min(1).max(32),
      "How many pull requests to check together; a red batch is bisected to find the one that breaks it.",
      FIGURES.trainBatch,
    ),
  })
  .meta({ id: "Train" });

/** A command that the local forge runs on each pull request. */
export const Check = z
  .strictObject({
    run: z.string().min(1).describe("Command, run in a clean checkout of the exact commit."),
    setup: key(z.string(), "Command that prepares the checkout; cached by lockfile."),
    timeout: key(Duration, "Longest run time.", "10m"),
    required: key(z.boolean(), "A merge needs it.", true),
    on: key(
      z.array(z.enum(["pr", "main"])),
      "When it runs: pr (every pull request), main (the base branch after merges, see mainGuard).",
      ["pr"],
    ),
    sandbox: key(
      CheckSandbox,
      "inherit: in a sandbox if the session whose commits it runs has one; none: as you, whoever wrote the code; an object: always in a sandbox.",
      "inherit",
    ),
  })
  .meta({ id: "Check" });
