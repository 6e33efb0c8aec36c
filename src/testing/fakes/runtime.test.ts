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
        test: "ends the program and what it started, also one that ignores a polite request",
        reason: "its programs start no others",
      },
      {
        test: "does not take a stranger's process for its own after the pid was reused",
        reason: "it keeps no pid in a file",
      },
    ],
  });
}
