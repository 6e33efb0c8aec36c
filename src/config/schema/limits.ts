import { z } from "zod";
import { FIGURES } from "../figures.ts";
import { key } from "./key.ts";
import { Count, Money, Size } from "./scalar.ts";

const PER_PROJECT = key(Count, "Agents of one project at the same time.");
const MONEY = {
  costPerSession: key(Money, "US dollars that one session may cost."),
  costPerTask: key(Money, "US dollars that one task may cost, over all its sessions."),
  costPerDay: key(Money, "US dollars that one day may cost."),
};

/** Limits of the machine. */
export const Limits = z
  .strictObject({
    parallelAgents: key(
      Count,
      "Agents that work at the same time; new sessions queue. Idle ones and those that wait for you do not count.",
      FIGURES.parallelAgents,
    ),
    perProject: PER_PROJECT,
    ciRuns: key(
      Count,
      "Checks that run on this machine at the same time, on pull requests, merge trains and base branches together; without it, two on pull requests and two on the others.",
    ),
    memory: key(Size, "Free memory below which no agent starts."),
    load: key(z.number().positive(), "Load average for each core above which no agent starts."),
    ...MONEY,
  })
  .meta({ id: "Limits" });

/** Limits of one project. */
export const ProjectLimits = z.strictObject({ perProject: PER_PROJECT, ...MONEY }).meta({ id: "ProjectLimits" });

const Price = z
  .strictObject({
    input: Money.describe("For a million tokens that go in."),
    cachedInput: key(Money, "For a million of those that come from a cache; the price of input when absent."),
    output: Money.describe("For a million tokens that come out."),
  })
  .meta({ id: "Price" });

/** Model prices, in addition to ao's own list and with precedence over it. */
export const Prices = z.record(z.string().min(1), Price);
