import { z } from "zod";
import { FIGURES } from "../figures.ts";
import { key } from "./key.ts";
import { Count, Money, Size } from "./scalar.ts";

const PER_PROJECT = key(Count, "Agents of one project at the same time.");
const MONEY = {
  costPerSession: key(Money, "US dollars that may be spent per session."),
  costPerTask: key(Money, "US dollars that may be spent per task, over all its sessions."),
  costPerDay: key(Money, "US dollars that may be spent per day."),
};

const RERUNS = key(
  z.int().min(0).max(5),
  "How often a failed check is re-run before its agent gets a message, once more if it was flaky recently; 0: never.",
  FIGURES.reruns,
);

/** Limits of the machine. */
export const Limits = z
  .strictObject({
    parallelAgents: key(
      Count,
      "Agents that may work at the same time; further sessions queue. Idle agents and those waiting for you do not count.",
      FIGURES.parallelAgents,
    ),
    perProject: PER_PROJECT,
    ciRuns: key(
      Count,
      "Checks that run on this machine at the same time, on pull requests, merge trains and base branches together; without it, two on pull requests and two on the others.",
    ),
    reruns: RERUNS,
    memory: key(Size, "Free memory below which no agent starts."),
    load: key(z.number().positive(), "Load average per core above which no agent starts."),
    ...MONEY,
  })
  .meta({ id: "Limits" });

/** Limits of one project. */
export const ProjectLimits = z
  .strictObject({ perProject: PER_PROJECT, reruns: RERUNS, ...MONEY })
  .meta({ id: "ProjectLimits" });

const Price = z
  .strictObject({
    input: Money.describe("Per million input tokens."),
    cachedInput: key(Money, "Per million cached input tokens; default: the input price."),
    output: Money.describe("Per million output tokens."),
  })
  .meta({ id: "Price" });

/** Model prices, in addition to ao's own list and with precedence over it. */
export const Prices = z.record(z.string().min(1), Price);
