// Finds the tables that a plan does not read by keys: it reads all rows, or all rows of an account.

export interface PlanNode {
  'Node Type': string;
  'Relation Name'?: string;
  Schema?: string;
  Alias?: string;
  Plans?: PlanNode[];
  [property: string]: unknown;
}

/** The columns of each index, without those that are only included, by its name with the schema. */
export type IndexColumns = ReadonlyMap<string, readonly string[]>;

/** Tables that grow with traffic, with those of their columns that many rows of an account have in common. */
export type GrowingTables = ReadonlyMap<string, readonly string[]>;

interface Options {
  indexes: IndexColumns;
  growing: GrowingTables;
  /** The table of each partition, by the partition's name with the schema. */
  tableOf: ReadonlyMap<string, string>;
}

/** The growing tables that a plan reads by more than a key or a range of keys. A walk along an index up to a limit is none. */
export function wideScans(plan: PlanNode, options: Options): string[] {
  const found: string[] = [];
  collect(plan, { options, found, isWalk: false });
  return [...new Set(found)];
}

interface Walk {
  options: Options;
  found: string[];
  /** True if a limit above ends the read early. */
  isWalk: boolean;
}

/** Nodes that read all rows of the nodes below before they return the first one. */
const readsAll = new Set(['Sort', 'Hash', 'Aggregate', 'Materialize', 'WindowAgg', 'SetOp', 'ModifyTable']);

function collect(node: PlanNode, walk: Walk): void {
  const type = node['Node Type'];
  const table = growingTableOf(node, walk.options);
  if (table !== undefined && !isNarrow(node, table, walk)) walk.found.push(table);
  if (type === 'Bitmap Heap Scan') return;
  const joins = [node['Join Filter'], node['Hash Cond'], node['Merge Cond']];
  const isWalk = type === 'Limit' || (walk.isWalk && !readsAll.has(type) && !joins.some(comparesKey));
  for (const below of node.Plans ?? [])
    collect(below, { ...walk, isWalk: isWalk && below['Parent Relationship'] !== 'InitPlan' });
}

function growingTableOf(node: PlanNode, { growing, tableOf }: Options): string | undefined {
  const { 'Node Type': type, 'Relation Name': relation, Schema: schema } = node;
  if (relation === undefined || type === 'ModifyTable' || type === 'Tid Scan') return undefined;
  const name = `${schema}.${relation}`;
  const table = tableOf.get(name) ?? name;
  return growing.has(table) ? table : undefined;
}

function isNarrow(node: PlanNode, table: string, walk: Walk): boolean {
  const { 'Node Type': type, Schema: schema, Plans: below = [] } = node;
  if (type === 'Seq Scan') return false;
  if (type === 'Bitmap Heap Scan' || type === 'BitmapAnd')
    return below.some((one) => isNarrow({ Schema: schema, ...one }, table, walk));
  if (type === 'BitmapOr') return below.every((one) => isNarrow({ Schema: schema, ...one }, table, walk));
  const { indexes, growing } = walk.options;
  const columns = indexes.get(`${String(schema)}.${String(node['Index Name'])}`) ?? [];
  const condition = withoutAliases(node['Index Cond']);
  const bound = leadingColumns(columns, condition);
  const common = new Set(['account_id', ...growing.get(table)!]);
  if (bound.some((column) => !common.has(column))) return true;
  const named = columns.slice(bound.length).some((column) => isCompared(column, condition));
  return walk.isWalk && !named && !comparesKey(node['Filter']);
}

/** A walk that filters by a key reads rows in vain until it meets the right one. */
const comparesKey = (filter: unknown): boolean => /\b(?:id|\w+_id|email) = /.test(withoutAliases(filter));

const comparison = /^\)*(?:::\w+)? (?:[<>=]+|IS) /;
const equality = /^\)*(?:::\w+)? = /;

/** The first columns of an index that a condition compares: those with `=`, and one with a range after them. */
function leadingColumns(columns: readonly string[], condition: string): string[] {
  const end = columns.findIndex((column) => !isCompared(column, condition, equality));
  if (end === -1) return [...columns];
  return columns.slice(0, isCompared(columns[end]!, condition) ? end + 1 : end);
}

function isCompared(column: string, condition: string, operator = comparison): boolean {
  const parts = condition.split(column);
  return parts.slice(1).some((after, index) => operator.test(after) && !/\w$/.test(parts[index]!));
}

const withoutAliases = (condition: unknown): string =>
  typeof condition === 'string' ? condition.replaceAll(/\b\w+\.(?=["\w(])/g, '').replaceAll('"', '') : '';
