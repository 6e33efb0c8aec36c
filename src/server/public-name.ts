import type { PublicName } from "../protocol/views/event.ts";

/** The name of a type of event or of a stream for those outside: they say pull request where the core says change. */
export function publicName<Name extends string>(name: Name): PublicName<Name> {
  return name.replace(/^change(?=[.:])/, "pull-request") as PublicName<Name>;
}

/** The stream that somebody outside means. */
export function coreName(stream: string): string {
  return stream.replace(/^pull-request(?=:)/, "change");
}
