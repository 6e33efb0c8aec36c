import { describeRuntimeContract } from "../contracts/runtime.contract.ts";
import { createFakeMachine, type FakeMachine } from "./host.ts";
import { createFakeRuntime } from "./runtime.ts";
import { createRushingClock } from "./rushing-clock.ts";

const machines = new WeakMap<object, FakeMachine>();

for (const input of ["inbox", "file", "terminal"] as const) {
  describeRuntimeContract({
    name: `of the test bed (${input})`,
    host: () => {
      const machine = createFakeMachine({ clock: createRushingClock(), env: {} });
      machines.set(machine.host, machine);
      return machine.host;
    },
    create: (host) =>
      createFakeRuntime(machines.get(host) as FakeMachine, input === "terminal" ? "terminal" : "pipes").runtime,
    input,
    skip: [
      {
        test: "ends the program and its children, even one that ignores SIGTERM",
        reason: "its programs start no others",
      },
      {
        test: "does not mistake another process for its own after the pid is reused",
        reason: "it keeps no pid in a file",
      },
    ],
  });
}
