import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  Kind,
  type SelectionNode,
  type SelectionSetNode,
} from "graphql";

/** GitHub rejects a query that could return more nodes than this. */
export const MAX_NODES = 500_000;

export interface QueryCost {
  /** Its cost in the hourly budget. */
  readonly points: number;
  /** The maximum number of nodes it can return. */
  readonly nodes: number;
}

/**
 * GitHub's cost of a query, from its text alone: each connection costs one request per possible parent, and a hundred
 * requests are a point.
 */
export function costOf(document: DocumentNode): QueryCost {
  const fragments = new Map<string, FragmentDefinitionNode>();
  for (const one of document.definitions) if (one.kind === Kind.FRAGMENT_DEFINITION) fragments.set(one.name.value, one);
  let requests = 0;
  let nodes = 0;
  const walk = ({ selections }: SelectionSetNode, parents: number): void => {
    for (const selection of selections) visit(selection, parents);
  };
  const visit = (selection: SelectionNode, parents: number): void => {
    const size = selection.kind === Kind.FIELD ? sizeOf(selection) : null;
    if (size !== null) {
      requests += parents;
      nodes += parents * size;
    }
    const inside =
      selection.kind === Kind.FRAGMENT_SPREAD
        ? fragments.get(selection.name.value)?.selectionSet
        : selection.selectionSet;
    if (inside !== undefined) walk(inside, parents * (size ?? 1));
  };
  for (const one of document.definitions) if (one.kind === Kind.OPERATION_DEFINITION) walk(one.selectionSet, 1);
  return { points: Math.max(1, Math.round(requests / 100)), nodes };
}

/** How many nodes a connection requests; null: not a connection. */
function sizeOf({ arguments: given = [] }: FieldNode): number | null {
  const size = given.find(({ name }) => name.value === "first" || name.value === "last")?.value;
  return size?.kind === Kind.INT ? Number(size.value) : null;
}
