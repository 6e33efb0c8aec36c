import { readdir } from "node:fs/promises";

const folder = new URL("./layers/", import.meta.url);

/** Every layer of the garden, the farthest first. */
export async function loadLayers() {
  const names = (await readdir(folder)).filter((name) => name.endsWith(".js"));
  const layers = await Promise.all(
    names.map(async (name) => ({ name, ...(await import(new URL(name, folder).href)) })),
  );
  return layers.sort((a, b) => a.order - b.order);
}
