import type { PublicName } from "../protocol/views/event.ts";

/** The public name of an event type or a stream: pull request where the core says change. */
export function publicName<Name extends string>(name: Name): PublicName<Name> {
  return name.replace(/^change(?=[.:])/, "pull-request") as PublicName<Name>;
}

/** The stream that a public name means. */
export function coreName(stream: string): string {
  return stream.replace(/^pull-request(?=:)/, "change");
}
