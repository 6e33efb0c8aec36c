import { describe, expect, it } from "vitest";
import { createMemoryFs } from "../testing/fakes/memory-fs.ts";
import { createOutputBound } from "./bound-output.ts";

const MIB = 1024 * 1024;
const LINE = new TextEncoder().encode(`${"x".repeat(1023)}\n`);

async function scene(mib: number) {
  const fs = createMemoryFs();
  const output = Buffer.concat(Array.from({ length: mib * 1024 }, () => LINE));
  await fs.makeDir("/run");
  await fs.append("/run/out", output);
  await fs.append("/run/err", output);
  await fs.append("/run/screen", output);
  let isFull = false;
  const bound = createOutputBound(fs, () => isFull);
  const freed = async (name: string): Promise<number> => {
    const bytes = (await fs.readBytes(`/run/${name}`, 0, 1024 * MIB)) ?? new Uint8Array();
    return bytes.findIndex((byte) => byte !== 0);
  };
  return {
    bound: (readTo: number) => bound({ runDir: "/run", readTo }),
    freed,
    fill: () => {
      isFull = true;
    },
  };
}

describe("the output of a run", () => {
  it("stays complete up to 40 MiB", async () => {
    const { bound, freed } = await scene(39);
    await bound(39 * MIB);
    expect([await freed("out"), await freed("err"), await freed("screen")]).toEqual([0, 0, 0]);
  });

  it("keeps its last 32 MiB of whole lines if it is longer", async () => {
    const { bound, freed } = await scene(48);
    await bound(48 * MIB);
    const first = 16 * MIB + 1024;
    expect([await freed("out"), await freed("err"), await freed("screen")]).toEqual([first, first, first]);
  });

  it("keeps unread output", async () => {
    const { bound, freed } = await scene(48);
    await bound(9 * MIB);
    expect(await freed("out")).toBe(9 * MIB);
    await bound(10 * MIB);
    expect(await freed("out")).toBe(9 * MIB);
  });

  it("loses its oldest part if it fills the disk faster than it is read", async () => {
    const { bound, freed, fill } = await scene(12);
    fill();
    await bound(0);
    expect(await freed("out")).toBe(11 * MIB + 1024);
  });

  it("keeps only its last MiB while the disk is full", async () => {
    const { bound, freed, fill } = await scene(4);
    fill();
    await bound(4 * MIB);
    expect(await freed("out")).toBe(3 * MIB + 1024);
  });
});
