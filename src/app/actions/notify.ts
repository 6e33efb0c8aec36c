import { AoError } from "../../core/errors.ts";
import type { PluginUse } from "../../core/session/state.ts";
import type { Notice } from "../../ports/notifier.ts";
import type { NotifyTestView } from "../../protocol/view.ts";
import type { Kernel } from "../kernel.ts";

/** Sends a test notice to one notifier, or to each that the configuration names, and says what came of it. */
export async function testNotifiers(kernel: Kernel, name: string | null): Promise<readonly NotifyTestView[]> {
  const machine = await kernel.desk.machine(kernel.engine.loop.world.view.projects());
  const configured = machine?.notifiers ?? {};
  const routed = Object.values(machine?.notificationRouting ?? {}).flatMap((names) => names ?? []);
  const known = [...new Set([...Object.keys(configured), ...(machine?.defaults.notifiers ?? []), ...routed])];
  const wanted = name === null ? known : [name];
  if (wanted.length === 0) {
    const hint = "Name one: `ao config set defaults.notifiers '[desktop]'`, or try `ao notify test desktop`.";
    throw new AoError({ code: "config-invalid", message: "No notifier is configured.", hint });
  }
  return Promise.all(wanted.map((one) => testOne(kernel, one, configured[one] ?? { plugin: one, config: {} })));
}

async function testOne(kernel: Kernel, notifier: string, use: PluginUse): Promise<NotifyTestView> {
  try {
    const instance = kernel.plugins.get("notifier", use, "");
    const { ok, reason } = await instance.preflight();
    if (!ok) return { notifier, sent: false, reason };
    await instance.send([testNotice(kernel.host.clock.now())]);
    return { notifier, sent: true, reason: null };
  } catch (error) {
    if (!(error instanceof AoError)) throw error;
    const reason = error.hint === undefined ? error.message : `${error.message} ${error.hint}`;
    return { notifier, sent: false, reason };
  }
}

function testNotice(at: number): Notice {
  return {
    id: `test/${at}`,
    priority: "info",
    at,
    title: "ao: a test",
    text: "This is what a notice of ao looks like. There is nothing to do.",
    projectId: null,
    sessionId: null,
    key: "test",
    act: null,
  };
}
