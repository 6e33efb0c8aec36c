type Filter = Readonly<Record<string, unknown>>;

const COMPARATORS: Readonly<Record<string, (value: unknown, wanted: unknown) => boolean>> = {
  eq: (value, wanted) => value === wanted,
  neq: (value, wanted) => value !== wanted,
  in: (value, wanted) => (wanted as unknown[]).includes(value),
  nin: (value, wanted) => !(wanted as unknown[]).includes(value),
  eqIgnoreCase: (value, wanted) => lower(value) === lower(wanted),
  null: (value, wanted) => (value === null) === wanted,
};

/** Whether a record matches a Linear filter: every field must match, except for `some` and `or`. */
export function matches(value: unknown, filter: Filter | null | undefined): boolean {
  return Object.entries(filter ?? {}).every(([key, wanted]) => {
    const compare = COMPARATORS[key];
    if (compare !== undefined) return compare(value, wanted);
    if (key === "and") return (wanted as Filter[]).every((one) => matches(value, one));
    if (key === "or") return (wanted as Filter[]).some((one) => matches(value, one));
    if (key === "some") return (value as unknown[]).some((one) => matches(one, wanted as Filter));
    if (value === null) return false;
    const field = (value as Filter)[key];
    if (field === undefined) throw new Error(`this Linear cannot filter by ${key}`);
    return matches(field, wanted as Filter);
  });
}

function lower(value: unknown): string {
  return String(value).toLowerCase();
}
