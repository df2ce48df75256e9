// Finds the tables that a statement reads or changes without a condition on the account. Postgres plans the statement, so that
// joins, views of the planner and conditions that follow from others count as they do when it runs.

export interface PlanNode {
  'Node Type': string;
  'Relation Name'?: string;
  Schema?: string;
  Alias?: string;
  Plans?: PlanNode[];
  [property: string]: unknown;
}

export interface AccountTable {
  /** The column with the account. */
  column: string;
  isPartition: boolean;
}

/** The tables of accounts, by name: `webinars.session`. */
export type AccountTables = ReadonlyMap<string, AccountTable>;

const conditionNames = [
  'Index Cond',
  'Recheck Cond',
  'Filter',
  'Join Filter',
  'Hash Cond',
  'Merge Cond',
  'TID Cond',
];

interface Scan {
  table: string;
  /** For a partition the alias of its table. */
  alias: string;
  /** A regular expression for the column with the account in conditions. */
  pattern: string;
}

/** The tables that no condition binds to one account, or to the accounts that the caller names. */
export function unboundTables(plan: PlanNode, accountTables: AccountTables): string[] {
  const nodes = nodesOf(plan);
  const conditions = nodes.flatMap((node) => conditionNames.map((name) => node[name]).filter(isText));
  const scans = nodes.flatMap((node) => scanOf(node, accountTables));
  const equals = scans.map((scan) => ({ scan, others: othersOf(scan, conditions) }));
  const open = new Set(scans.map(({ alias }) => alias));
  // An alias is bound by a value from outside of these tables, or by another alias that is bound.
  for (let size = -1; size !== open.size;) {
    size = open.size;
    for (const { scan, others } of equals)
      if (others.some((other) => !open.has(other) && !open.has(other.replace(/_\d+$/, ''))))
        open.delete(scan.alias);
  }
  return [...new Set(scans.filter(({ alias }) => open.has(alias)).map(({ table }) => table))];
}

const nodesOf = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)];

const isText = (value: unknown): value is string => typeof value === 'string';

function scanOf(node: PlanNode, accountTables: AccountTables): Scan[] {
  const { 'Relation Name': relation, Schema: schema, Alias: alias } = node;
  if (relation === undefined || alias === undefined || node['Node Type'] === 'ModifyTable') return [];
  const table = `${schema}.${relation}`;
  const accountTable = accountTables.get(table);
  if (accountTable === undefined) return [];
  const { column, isPartition } = accountTable;
  // A partition has the alias of its table and a number. Conditions have either of them.
  const own = isPartition ? alias.replace(/_\d+$/, '') : alias;
  return [
    {
      table,
      alias: own,
      // Postgres quotes an alias that is a word of SQL, such as "grant".
      pattern: String.raw`"?\b${own}${isPartition ? String.raw`(?:_\d+)?` : ''}"?\."?${column}"?(?!\w)`,
    },
  ];
}

/** The aliases that the account of a scan equals. A value that is no column has an alias that no table has. */
function othersOf({ pattern }: Scan, conditions: readonly string[]): string[] {
  const after = new RegExp(String.raw`${pattern} = \(*(?:"?(?<alias>\w+)"?\."?\w+"?|[^\s(])`, 'g');
  const before = new RegExp(String.raw`(?:"?(?<alias>\w+)"?\."?\w+"?|[^\s)])\)* = ${pattern}`, 'g');
  return conditions.flatMap((condition) =>
    [...condition.matchAll(after), ...condition.matchAll(before)].map(
      ({ groups }) => groups?.['alias'] ?? '',
    ),
  );
}
