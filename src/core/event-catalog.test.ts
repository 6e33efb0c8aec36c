import { describe, expect, it } from "vitest";
import type { AnyEvent } from "./event.ts";
import { EVENT_CATALOG, isInternal, isNoticeEvent, isProblemEvent } from "./event-catalog.ts";

const ofType = (type: string): AnyEvent => ({ type }) as unknown as AnyEvent;
const typesWhere = (is: (event: AnyEvent) => boolean): readonly string[] =>
  Object.keys(EVENT_CATALOG).filter((type) => is(ofType(type)));
const isNamed =
  (...prefixes: readonly string[]) =>
  (type: string): boolean =>
    prefixes.some((prefix) => type.startsWith(prefix));

/** What a daemon sees about a repository by itself, again and again. */
const SEEN_AGAIN = ["project.reappeared", "project.base-followed"];
/** About the repository, for a person: no session or pull request depends on it. */
const ABOUT_REPOSITORY = [
  ...SEEN_AGAIN,
  "project.vanished",
  "project.base-rewritten",
  "project.base-committed",
  "project.base-accepted",
];

describe("the event catalog", () => {
  it("makes a person's requests and an agent's confirmations durable", () => {
    const durable = Object.entries(EVENT_CATALOG).flatMap(([type, { durable: is }]) => (is ? [type] : []));
    const ofTrain = ["train.paused", "train.resumed", "train.reordered"];
    const listed = [
      "message.accepted",
      "message.queued",
      "problem.passed",
      "untrusted.read",
      "review.given",
      "review.requested",
      "workspace.relocated",
      ...ofTrain,
    ];
    const ofPeople = Object.keys(EVENT_CATALOG).filter(isNamed("change.", "merge.", "session.", "project."));
    const expected = [...listed, ...ofPeople].filter((type) => !SEEN_AGAIN.includes(type));
    expect(new Set(durable)).toEqual(new Set(expected));
  });

  it("lets a pause and a daemon start affect everyone, and a project its own sessions and changes", () => {
    const reach = (wanted: string): readonly string[] =>
      Object.entries(EVENT_CATALOG).flatMap(([type, traits]) => (traits.reach === wanted ? [type] : []));
    const ofTrain = ["train.built", "train.ended", "train.paused", "train.resumed", "commit.check-finished"];
    expect(reach("everyone")).toEqual(["fleet.paused", "fleet.resumed", "daemon.started"]);
    const ofProject = Object.keys(EVENT_CATALOG).filter(isNamed("project.", ...ofTrain));
    expect(reach("project")).toEqual(ofProject.filter((type) => !ABOUT_REPOSITORY.includes(type)));
  });

  it("distinguishes events about problems and notices from the others", () => {
    const types = Object.keys(EVENT_CATALOG);
    expect(typesWhere(isProblemEvent)).toEqual(types.filter(isNamed("problem.", "reaction.")));
    expect(typesWhere(isNoticeEvent)).toEqual(types.filter(isNamed("notice.")));
  });

  it.each(["message.started", "message.written", "conversation.known", "agent.output-seen", "intent.recorded"])(
    "hides %s except for debugging",
    (type) => {
      expect(isInternal(ofType(type))).toBe(true);
    },
  );

  it("hides an event that only a newer version knows", () => {
    expect(isInternal(ofType("agent.danced"))).toBe(true);
  });
});
