import { join } from "node:path";
import { z } from "zod";
import { SESSION_MARKER } from "../../core/name.ts";
import type { HostFs } from "../../ports/host.ts";

/**
 * Marks a checkout as ours, in its git folder where agents do not look. creating: files may be half written; prepared:
 * the content is complete, postCreate may have to run (again); ready.
 */
const Marker = z.object({
  sessionId: z.string(),
  generation: z.number(),
  state: z.enum(["creating", "prepared", "ready"]),
  branch: z.string(),
  head: z.string(),
  baseCommit: z.string(),
  /** The commit or tree that is being written while `state` is creating. */
  content: z.string(),
  restoredFrom: z.string().nullable(),
  notes: z.array(z.string()),
});

export type Marker = z.infer<typeof Marker>;

/** The marker in a checkout's git folder; null if there is no readable one. */
export async function readMarker(fs: HostFs, gitDir: string): Promise<Marker | null> {
  const text = await fs.readText(join(gitDir, SESSION_MARKER));
  if (text === null) return null;
  try {
    return Marker.parse(JSON.parse(text));
  } catch {
    // Someone else's file under our name is not our marker.
    return null;
  }
}

/** Replaces the marker atomically. */
export async function writeMarker(fs: HostFs, gitDir: string, marker: Marker): Promise<void> {
  await fs.writeText(join(gitDir, SESSION_MARKER), `${JSON.stringify(marker, null, 2)}\n`);
}
