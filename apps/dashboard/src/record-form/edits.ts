// Compares the edits of two people, field by field. Objects are walked, lists are compared as a whole.

export interface Difference {
  /** `room.chatMode` */
  path: string;
  base: unknown;
  mine: unknown;
  theirs: unknown;
  isMine: boolean;
  isTheirs: boolean;
}

interface Edits<Values extends object> {
  /** The values that both edits began with. */
  base: Values;
  mine: Values;
  theirs: Values;
}

/** The fields that one of two edits changed, without those that both changed to the same value. */
export function compareEdits<Values extends object>({ base, mine, theirs }: Edits<Values>): Difference[] {
  const [before, own, other] = [leavesOf(base), leavesOf(mine), leavesOf(theirs)];
  return [...before.keys()]
    .map((path) => {
      const values = { base: before.get(path), mine: own.get(path), theirs: other.get(path) };
      const isMine = !isEqual(values.base, values.mine);
      return { path, ...values, isMine, isTheirs: !isEqual(values.base, values.theirs) };
    })
    .filter(({ mine: a, theirs: b }) => !isEqual(a, b));
}

/** The values of the other edit with the fields of mine. Of a field that both changed, mine counts if `keepsMine`. */
export function mergeEdits<Values extends object>(
  edits: Edits<Values>,
  keepsMine: (path: string) => boolean,
): Values {
  const merged = structuredClone(edits.theirs);
  for (const { path, mine, isMine, isTheirs } of compareEdits(edits))
    if (isMine && (!isTheirs || keepsMine(path))) assign(merged, path, structuredClone(mine));
  return merged;
}

/** The fields of `after` that differ from `before`. */
export function changedFields<Fields extends object>(before: Fields, after: Fields): Partial<Fields> {
  const changed = Object.entries(after).filter(
    ([name, value]) => !isEqual(value, before[name as keyof Fields]),
  );
  return Object.fromEntries(changed) as Partial<Fields>;
}

function leavesOf(values: object, prefix = ''): Map<string, unknown> {
  return new Map(
    Object.entries(values).flatMap(([name, value]: [string, unknown]) =>
      typeof value === 'object' && value !== null && !Array.isArray(value)
        ? [...leavesOf(value, `${prefix}${name}.`)]
        : [[`${prefix}${name}`, value] as const],
    ),
  );
}

function assign(target: object, path: string, value: unknown): void {
  const names = path.split('.');
  const last = names.pop()!;
  const owner = names.reduce<Record<string, unknown>>(
    (inner, name) => inner[name] as Record<string, unknown>,
    target as Record<string, unknown>,
  );
  owner[last] = value;
}

const isEqual = (a: unknown, b: unknown): boolean => JSON.stringify(sorted(a)) === JSON.stringify(sorted(b));

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, member]) => [name, sorted(member)]),
  );
}
