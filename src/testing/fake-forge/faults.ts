/** A fault in matching requests. */
export interface Fault {
  /**
   * Matched against `METHOD /path`, with the path as in the forge's documentation: `GET /repos/octo/demo/issues`, `POST
   * /graphql`.
   */
  readonly on: RegExp;
  /**
   * `status`: this status instead; `secondary-limit`: a request to slow down; `hang`: never an answer; `hang-up`: the
   * connection breaks before the request is handled; `lost-answer`: it breaks after; `truncated`: the answer ends
   * midway.
   */
  readonly kind: "status" | "secondary-limit" | "hang" | "hang-up" | "lost-answer" | "truncated";
  /** For `status`; default 502. */
  readonly status?: number;
  /** For `secondary-limit`, in seconds; default 60. */
  readonly retryAfter?: number;
  /** Default 1. */
  readonly times?: number;
}

export interface Faults {
  /** Adds a fault; returns a function that removes it. */
  add(fault: Fault): () => void;
  /** Calls back for each request while its client waits for the answer. */
  watch(onRequest: (request: string) => void): void;
  /** The fault for this request, which counts as used. */
  take(request: string): Fault | null;
}

/** Faults in the order they were added. */
export function createFaults(): Faults {
  const planned = new Map<symbol, { readonly fault: Fault; left: number }>();
  const watchers: ((request: string) => void)[] = [];
  return {
    add: (fault) => {
      const key = Symbol("fault");
      planned.set(key, { fault, left: fault.times ?? 1 });
      return () => planned.delete(key);
    },
    watch: (onRequest) => void watchers.push(onRequest),
    take: (request) => {
      for (const watcher of watchers) watcher(request);
      for (const entry of planned.values()) {
        if (entry.left <= 0 || !entry.fault.on.test(request)) continue;
        entry.left -= 1;
        return entry.fault;
      }
      return null;
    },
  };
}
