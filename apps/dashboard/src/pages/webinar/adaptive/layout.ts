// Places the segments of a graph in columns from left to right: the entry first, then the segments after it by the number of
// branches that lead there. Pure, so that the picture is the same each time.

interface Node {
  id: string;
  isEntry: boolean;
}

interface Edge {
  id: string;
  fromSegmentId: string;
  toSegmentId: string;
}

export interface Place {
  column: number;
  row: number;
}

export interface Layout {
  places: ReadonlyMap<string, Place>;
  columns: number;
  rows: number;
}

/** Segments that cannot be reached are in the last column. */
export function layOut(nodes: readonly Node[], edges: readonly Edge[]): Layout {
  const depths = depthsOf(nodes, edges);
  const last = Math.max(-1, ...depths.values()) + 1;
  const columns: Node[][] = [];
  for (const node of nodes) (columns[depths.get(node.id) ?? last] ??= []).push(node);
  const places = new Map<string, Place>();
  // Dense, because `last` may be a column of its own without others before it.
  const filled = columns.filter((column) => column !== undefined);
  for (const [column, members] of filled.entries()) {
    const middles = new Map(members.map((node) => [node, middleOf(node, edges, places)]));
    const ordered = members.toSorted((one, other) => compare(middles.get(one)!, middles.get(other)!));
    for (const [row, { id }] of ordered.entries()) places.set(id, { column, row });
  }
  return { places, columns: filled.length, rows: Math.max(0, ...filled.map(({ length }) => length)) };
}

/** The number of branches from the entry on the longest way, so that lines lead to the right. Ways back do not count. */
function depthsOf(nodes: readonly Node[], edges: readonly Edge[]): Map<string, number> {
  const targetsOf = Map.groupBy(edges, ({ fromSegmentId }) => fromSegmentId);
  const open = new Set<string>();
  const finished = new Set<string>();
  const forward: Edge[] = [];
  const visit = (id: string): void => {
    open.add(id);
    for (const edge of targetsOf.get(id) ?? []) {
      if (open.has(edge.toSegmentId)) continue;
      forward.push(edge);
      if (!finished.has(edge.toSegmentId)) visit(edge.toSegmentId);
    }
    open.delete(id);
    finished.add(id);
  };
  const entries = nodes.filter(({ isEntry }) => isEntry).map(({ id }) => id);
  for (const id of entries) if (!finished.has(id)) visit(id);

  const depths = new Map([...finished].map((id) => [id, 0]));
  // Without the ways back, a segment finishes after all that follow it.
  for (const id of [...finished].toReversed()) {
    for (const { fromSegmentId, toSegmentId } of forward)
      if (fromSegmentId === id)
        depths.set(toSegmentId, Math.max(depths.get(toSegmentId)!, depths.get(id)! + 1));
  }
  return depths;
}

/** The middle of the rows that lead to a node, so that fewer lines cross. */
function middleOf({ id }: Node, edges: readonly Edge[], places: ReadonlyMap<string, Place>): number {
  const rows = edges.flatMap(({ fromSegmentId, toSegmentId }) => {
    const from = toSegmentId === id ? places.get(fromSegmentId) : undefined;
    return from ? [from.row] : [];
  });
  return rows.length === 0 ? Infinity : rows.reduce((sum, row) => sum + row, 0) / rows.length;
}

/** The node that an arrow key goes to. Undefined at the edge of the picture. */
export function neighbour({ places }: Layout, id: string, key: string): string | undefined {
  const from = places.get(id);
  const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[key];
  if (!from || !step) return undefined;
  const [columnStep = 0, rowStep = 0] = step;
  const candidates = [...places].filter(([, place]) =>
    columnStep === 0
      ? place.column === from.column && place.row === from.row + rowStep
      : place.column === from.column + columnStep,
  );
  return candidates.toSorted(
    ([, one], [, other]) => Math.abs(one.row - from.row) - Math.abs(other.row - from.row),
  )[0]?.[0];
}

/** Unlike a difference, it is defined for two infinite numbers. */
const compare = (one: number, other: number): number => (one === other ? 0 : one < other ? -1 : 1);
