/** Where a client is in the stream: a position, and the store whose position it is; null: the client did not say. */
export interface LivePlace {
  readonly position: number;
  readonly store: string | null;
}

/** The id of a message: clients hand it back as it is. */
export function formatLiveId(place: LivePlace): string {
  return place.store === null ? String(place.position) : `${place.position}-${place.store}`;
}

/** What a client handed back: the id of a message, or the position that a list came with; null: neither. */
export function parseLiveId(written: string): LivePlace | null {
  const [, position, store = null] = /^(\d{1,15})(?:-([0-9a-f]+))?$/.exec(written) ?? [];
  return position === undefined ? null : { position: Number(position), store };
}
