/** A client's place in the stream: a position, and the store it belongs to; null: unknown. */
export interface LivePlace {
  readonly position: number;
  readonly store: string | null;
}

/** The id of a message, which clients send back as is. */
export function formatLiveId(place: LivePlace): string {
  return place.store === null ? String(place.position) : `${place.position}-${place.store}`;
}

/** Parses what a client sent back: the id of a message, or the position of a list; null: neither. */
export function parseLiveId(written: string): LivePlace | null {
  const [, position, store = null] = /^(\d{1,15})(?:-([0-9a-f]+))?$/.exec(written) ?? [];
  return position === undefined ? null : { position: Number(position), store };
}
