// Compares the edits of two people, field by field. Objects are walked, lists and the named `whole` objects are compared as a whole.

export interface Difference {
  /** `room.chatMode` */
  path: string;
  base: unknown;
  mine: unknown;
  theirs: unknown;
  isMine: boolean;
  isTheirs: boolean;
}

export interface Edits<Values> {
  /** The values that both edits began with. */
  base: Values;
  mine: Values;
  theirs: Values;
  /** Names of objects whose members depend on each other, such as a trigger and its params. */
  whole?: readonly string[] | undefined;
}

/** The last change of a record. */
export type SavedChange = Record<'recordId' | 'at', string>;

/** Undefined for a record that does not keep the time of its last change. */
export const savedOf = (record: { id?: unknown; updatedAt?: unknown }): SavedChange | undefined =>
  typeof record.id === 'string' && typeof record.updatedAt === 'string'
    ? { recordId: record.id, at: record.updatedAt }
    : undefined;

/** The fields that one of two edits changed, without those that both changed to the same value. */
export function compareEdits<Values extends object>({
  base,
  mine,
  theirs,
  whole = [],
}: Edits<Values>): Difference[] {
  const [before, own, other] = [base, mine, theirs].map((values) => leavesOf(values, whole)) as [
    Leaves,
    Leaves,
    Leaves,
  ];
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

type Leaves = Map<string, unknown>;

function leavesOf(values: object, whole: readonly string[], prefix = ''): Leaves {
  return new Map(
    Object.entries(values).flatMap(([name, value]: [string, unknown]) => {
      const path = prefix + name;
      const isWalked =
        typeof value === 'object' && value !== null && !Array.isArray(value) && !whole.includes(path);
      return isWalked ? [...leavesOf(value, whole, `${path}.`)] : [[path, value] as const];
    }),
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

/** Compares JSON values. The order of members is no difference. */
export const isEqual = (a: unknown, b: unknown): boolean =>
  JSON.stringify(sorted(a)) === JSON.stringify(sorted(b));

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, member]) => [name, sorted(member)]),
  );
}

/** The value at a path such as `actions.0.url`. Undefined if there is none. */
export function valueAt(values: object, path: string): unknown {
  let value: unknown = values;
  for (const key of path.split('.'))
    value = typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined;
  return value;
}
