/** A file of the sample project: before an agent's work (null: new), and after it. */
interface SampleFile {
  readonly path: string;
  readonly before: string | null;
  readonly after: string;
}

const CACHE_BEFORE = `import { fetchImage, type Image } from "./image.ts";

/** Images of products, so that a list does not ask for each of them again. */
export class ImageCache {
  private readonly entries = new Map<string, Image>();

  async get(url: string): Promise<Image> {
    const hit = this.entries.get(url);
    if (hit) return hit;
    const image = await fetchImage(url);
    this.entries.set(url, image);
    return image;
  }

  clear(): void {
    this.entries.clear();
  }
}
`;

const CACHE_AFTER = `import { DAY_MS, fetchImage, type Image, keyOf, MAX_BYTES } from "./image.ts";

interface Entry {
  readonly image: Image;
  readonly until: number;
}

/** Images of products, kept for a day, so that a list does not ask for each of them again. */
export class ImageCache {
  private readonly entries = new Map<string, Entry>();
  private bytes = 0;

  constructor(private readonly now: () => number = Date.now) {}

  async get(url: string): Promise<Image> {
    const key = keyOf(url);
    const hit = this.entries.get(key);
    if (hit !== undefined && hit.until > this.now()) return hit.image;
    const image = await fetchImage(url);
    this.entries.set(key, { image, until: this.now() + DAY_MS });
    this.bytes += image.bytes.length;
    this.trim();
    return image;
  }

  clear(): void {
    this.entries.clear();
    this.bytes = 0;
  }

  private trim(): void {
    while (this.bytes > MAX_BYTES) this.dropOldest();
  }

  private dropOldest(): void {
    const [oldest] = this.entries;
    if (oldest === undefined) return;
    this.entries.delete(oldest[0]);
    this.bytes -= oldest[1].image.bytes.length;
  }
}
`;

/** What every agent of the sample fleet changes; the last ones only in larger pull requests. */
export const SAMPLE_FILES: readonly SampleFile[] = [
  { path: "src/image/cache.ts", before: CACHE_BEFORE, after: CACHE_AFTER },
  {
    path: "src/image/key.ts",
    before: null,
    after: `import { createHash } from "node:crypto";

/** Two addresses of the same image have the same key. */
export function keyOf(url: string): string {
  const { origin, pathname } = new URL(url);
  return createHash("sha256").update(origin + pathname).digest("hex");
}
`,
  },
  {
    path: "src/image/limits.ts",
    before: null,
    after: `export const DAY_MS = 24 * 60 * 60_000;

/** About 2,000 images of the usual size. */
export const MAX_BYTES = 200 * 1024 * 1024;
`,
  },
  {
    path: "src/image/fetch.ts",
    before: `export interface Image {
  readonly bytes: Uint8Array;
}

export async function fetchImage(url: string): Promise<Image> {
  const answer = await fetch(url);
  return { bytes: new Uint8Array(await answer.arrayBuffer()) };
}
`,
    after: `export interface Image {
  readonly bytes: Uint8Array;
  readonly type: string;
}

export async function fetchImage(url: string): Promise<Image> {
  const answer = await fetch(url);
  if (!answer.ok) throw new Error(\`\${url} answered \${answer.status}\`);
  const type = answer.headers.get("content-type") ?? "image/jpeg";
  return { bytes: new Uint8Array(await answer.arrayBuffer()), type };
}
`,
  },
  {
    path: "src/product/gallery.tsx",
    before: `import { images } from "../parts.ts";

export function Gallery({ product }: { readonly product: Product }) {
  return product.pictures.map((url) => <Picture key={url} image={images.get(url)} />);
}
`,
    after: `import { images, Thumb } from "../parts.ts";

export function Gallery({ product }: { readonly product: Product }) {
  const [first, ...others] = product.pictures;
  return (
    <>
      {first === undefined ? null : <Picture image={images.get(first)} />}
      {others.map((url) => (
        <Thumb key={url} url={url} />
      ))}
    </>
  );
}
`,
  },
  {
    path: "test/image/cache.test.ts",
    before: null,
    after: `import { expect, ImageCache, it, serveImages } from "../support.ts";

it("asks for an image once a day", async () => {
  const { url, asked } = await serveImages();
  let now = 0;
  const cache = new ImageCache(() => now);
  await cache.get(url);
  await cache.get(url);
  expect(asked()).toBe(1);
  now += 24 * 60 * 60_000;
  await cache.get(url);
  expect(asked()).toBe(2);
});
`,
  },
  {
    path: "docs/images.md",
    before: "# Images\n\nImages come from the shop's storage.\n",
    after:
      "# Images\n\nImages come from the shop's storage and are kept in memory for a day, at most 200 MB of them.\n",
  },
];

/** What a further commit adds: a response to the review. */
export const FOLLOW_UP = {
  path: "src/image/limits.ts",
  text: "\n/** Admins see a new image at once. */\nexport const ADMIN_MS = 0;\n",
} as const;
