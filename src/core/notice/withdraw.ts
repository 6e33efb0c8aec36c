import { type Emitted, onFleet } from "../event.ts";
import type { World } from "../world.ts";

/** Takes back the notices whose ids begin like this, as far as they have not left: nobody has to hear of what is resolved. */
export function withdrawNotices(world: World, prefix: string): readonly Emitted[] {
  const { waiting, sending } = world.fleet().notices;
  const leaving = new Set(Object.values(sending).flat());
  const ids = waiting.map(({ id }) => id).filter((id) => id.startsWith(prefix) && !leaving.has(id));
  return ids.length === 0 ? [] : onFleet({ type: "notice.withdrawn", ids, reason: "resolved" });
}
