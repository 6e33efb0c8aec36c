import type { Actions } from "../../server/actions.ts";
import type { Kernel } from "../kernel.ts";
import { createUserName } from "../user-name.ts";

/** What a person no longer wants, or not now: a queued message, an inbox item. */
export function createPuttingAway(kernel: Kernel): Pick<Actions, "cancelMessage" | "snooze"> {
  const { engine, host, paths } = kernel;
  const userName = createUserName(host);
  const world = engine.loop.world.view;
  const me = (projectId: string | undefined): Promise<string> =>
    userName((projectId === undefined ? undefined : world.project(projectId)?.path) ?? paths.home);
  return {
    cancelMessage: async (sessionId, messageId, { key }) => {
      const by = await me(world.session(sessionId)?.projectId);
      await engine.submit({ input: { type: "session.cancel-message", sessionId, messageId, by }, key });
    },
    snooze: async ({ projectId, ...item }, { key }) => {
      await engine.submit({ input: { type: "inbox.snooze", ...item, by: await me(projectId) }, key });
    },
  };
}
