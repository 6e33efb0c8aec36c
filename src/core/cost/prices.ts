/** US dollars per million tokens. */
export interface Price {
  readonly input: number;
  /** For input that came from a cache. */
  readonly cachedInput: number;
  readonly output: number;
}

/** Prices by model name prefix. */
export type Prices = Readonly<Record<string, Price>>;

/** Where the price of a model is looked up: the user's own prices first, then the vendors' list. */
export interface PriceLists {
  readonly own: Prices;
  readonly listed: Prices;
}

/**
 * The price of a model: the longest matching prefix in either list, the user's first. A vendor before the name
 * (`openai/gpt-5`) is optional.
 */
export function findPrice(model: string, { own, listed }: PriceLists): Price | null {
  const name = model.toLowerCase();
  const short = name.slice(name.lastIndexOf("/") + 1);
  return longest(own, name) ?? longest(own, short) ?? longest(listed, short);
}

function longest(prices: Prices, name: string): Price | null {
  const [found] = Object.keys(prices)
    .filter((prefix) => isBeginning(prefix.toLowerCase(), name))
    .sort((a, b) => b.length - a.length);
  return found === undefined ? null : (prices[found] ?? null);
}

// Only whole words: `gpt-5` is a prefix of `gpt-5-codex`, but not of `gpt-5.9` or `gpt-50`.
function isBeginning(prefix: string, name: string): boolean {
  return name.startsWith(prefix) && !/^[a-z0-9.]/.test(name.slice(prefix.length));
}
