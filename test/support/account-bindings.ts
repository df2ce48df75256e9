// Finds out which values the account of each table of a statement equals, from the statement's text alone. It follows the conditions
// that every row must satisfy: those of WHERE and of joins, also through subqueries and CTEs. A condition below OR binds nothing.
import { loadModule, parseSync } from 'libpg-query';
import type { ClientBase } from 'pg';

await loadModule();

export interface KnownTable {
  /** In their order. */
  columns: readonly string[];
  /** The column with the account; undefined if the table has none. */
  accountColumn: string | undefined;
}

/** By name: `webinars.session`. */
export type Tables = ReadonlyMap<string, KnownTable>;

/** Tables of better-auth name the account in another column. */
const otherAccountColumns: Record<string, string> = {
  'accounts.organization': 'id',
  'accounts.member': 'organizationId',
  'accounts.invitation': 'organizationId',
};

export type TableEntries = [name: string, table: KnownTable][];

/** All tables of a database, with the column that has the account. */
export async function readTables(client: Pick<ClientBase, 'query'>): Promise<TableEntries> {
  const { rows } = await client.query<{ name: string; columns: string[] }>(
    `select n.nspname || '.' || c.relname as name, array_agg(a.attname::text order by a.attnum) as columns
     from pg_class c join pg_namespace n on n.oid = c.relnamespace join pg_attribute a on a.attrelid = c.oid
     where c.relkind in ('r', 'p') and n.nspname !~ '^(pg_|information_schema)' and a.attnum > 0 and not a.attisdropped
     group by 1`,
  );
  return rows.map(({ name, columns }) => [
    name,
    {
      columns,
      accountColumn: otherAccountColumns[name] ?? columns.find((column) => column === 'account_id'),
    },
  ]);
}

/** A table in a statement. */
export interface TableReference {
  table: string;
  /** The values that its account must equal: `$1`, `'text'`, `expression`. Empty if rows of any account are read or changed. */
  values: readonly string[];
}

type Tree = Readonly<Record<string, unknown>>;

/** A column of one relation, `3.account_id`, or a value, `=$1`. */
type Key = string;

interface Output {
  name: string;
  key: Key;
}

interface Relation {
  alias: string;
  columns: readonly Output[];
  /** A function whose columns the statement does not name. */
  other?: Key | undefined;
}

interface Scope {
  parent: Scope | undefined;
  relations: Relation[];
  ctes: Map<string, readonly Output[]>;
}

/** True if a condition may bind the relation with this number. An outer join binds one side only, and a subquery only its own tables. */
type Reach = (relation: number) => boolean;

const nothing: Reach = () => false;

/** The tables of accounts that a statement reads or changes. Throws if it is not SQL, or a MERGE. */
export function accountBindings(text: string, tables: Tables): TableReference[] {
  const { stmts = [] } = parseSync(text);
  return stmts.flatMap(({ stmt }) => bindingsOf((stmt ?? {}) as Tree, tables));
}

function bindingsOf(statement: Tree, tables: Tables): TableReference[] {
  const references: { table: string; key: Key }[] = [];
  const rules: { target: Key; from: readonly Key[] }[] = [];
  const subqueries = new Map<Tree, readonly Output[]>();
  let relations = 0;

  const bind = (target: Key, from: readonly Key[], reach: Reach): void => {
    if (!target.startsWith('=') && reach(Number.parseInt(target, 10))) rules.push({ target, from });
  };
  /** A column that is bound when all the others are. */
  const derive = (from: readonly Key[]): Key => {
    const target = `${(relations += 1)}.`;
    rules.push({ target, from });
    return target;
  };
  const equal = (left: Key, right: Key, reach: Reach): void => {
    bind(left, [right], reach);
    bind(right, [left], reach);
  };

  /** Rows of a SELECT, or of RETURNING. */
  function query(tree: Tree, parent: Scope | undefined, reach: Reach): readonly Output[] {
    const [kind, body] = Object.entries(tree)[0] as [string, Tree];
    const scope: Scope = { parent, relations: [], ctes: new Map() };
    const first = relations + 1;
    const inside: Reach = (relation) => relation >= first || reach(relation);
    for (const each of list(body['withClause'], 'ctes')) cte(each['CommonTableExpr'] as Tree, scope);
    if (kind === 'SelectStmt') return select(body, scope, inside);
    if (!['InsertStmt', 'UpdateStmt', 'DeleteStmt'].includes(kind)) {
      if (kind === 'MergeStmt') throw new Error('MERGE is not understood.');
      return [];
    }
    const target = table(body['relation'] as Tree, scope);
    scope.relations.push(target, ...['excluded', 'old', 'new'].map((alias) => ({ ...target, alias })));
    if (kind === 'InsertStmt') insert(body, { target, scope, reach: inside });
    for (const each of [...list(body, 'fromClause'), ...list(body, 'usingClause')]) item(each, scope, inside);
    condition(body['whereClause'], scope, inside);
    visit([body['targetList'], body['onConflictClause']], scope);
    return outputs(list(body['returningClause'], 'exprs'), scope);
  }

  function cte(tree: Tree, scope: Scope): void {
    const names = list(tree, 'aliascolnames').map(textOf);
    const named = (rows: readonly Output[]): Output[] =>
      rows.map(({ name, key }, index) => ({ name: names[index] ?? name, key }));
    const body = (tree['ctequery'] as Tree)['SelectStmt'] as Tree | undefined;
    const name = tree['ctename'] as string;
    if (body === undefined || isPlain(body) || body['withClause'] !== undefined) {
      scope.ctes.set(name, named(query(tree['ctequery'] as Tree, scope, nothing)));
      return;
    }
    // The second part of a recursive one continues from rows of the first.
    scope.ctes.set(name, named(query({ SelectStmt: body['larg'] }, scope, nothing)));
    query({ SelectStmt: body['rarg'] }, scope, nothing);
  }

  const isPlain = (body: Tree): boolean => body['op'] === undefined || body['op'] === 'SETOP_NONE';

  function select(body: Tree, scope: Scope, reach: Reach): readonly Output[] {
    if (!isPlain(body)) {
      const left = query({ SelectStmt: body['larg'] }, scope, nothing);
      const right = query({ SelectStmt: body['rarg'] }, scope, nothing);
      return left.map(({ name, key }, index) => ({ name, key: derive([key, right[index]!.key]) }));
    }
    const rows = list(body, 'valuesLists').map((row) => list(row['List'], 'items'));
    if (rows.length > 0) {
      visit(rows, scope);
      return rows[0]!.map((_, index) => ({
        name: `column${index + 1}`,
        key: derive(rows.map((row) => value(row[index]!, scope))),
      }));
    }
    for (const each of list(body, 'fromClause')) item(each, scope, reach);
    condition(body['whereClause'], scope, reach);
    const rest = ['targetList', 'groupClause', 'havingClause', 'sortClause', 'limitCount', 'limitOffset'];
    visit(
      [...rest, 'windowClause', 'distinctClause'].map((name) => body[name]),
      scope,
    );
    return outputs(list(body, 'targetList'), scope);
  }

  function insert(
    body: Tree,
    { target, scope, reach }: { target: Relation; scope: Scope; reach: Reach },
  ): void {
    if (body['selectStmt'] === undefined) return;
    // The rows do not see the table that they are written to.
    const rows = query(body['selectStmt'] as Tree, { ...scope, relations: [] }, nothing);
    const cols = list(body, 'cols').map(({ ResTarget }) => (ResTarget as Tree)['name'] as string);
    const names = cols.length > 0 ? cols : target.columns.map(({ name }) => name);
    for (const { name, key } of target.columns) {
      const row = rows[names.indexOf(name)];
      if (row) bind(key, [row.key], reach);
    }
  }

  function table(range: Tree, scope: Scope): Relation {
    const name = range['relname'] as string;
    const alias = ((range['alias'] as Tree | undefined)?.['aliasname'] as string | undefined) ?? name;
    if (range['schemaname'] === undefined)
      for (let at: Scope | undefined = scope; at; at = at.parent) {
        const rows = at.ctes.get(name);
        if (rows) return derived(alias, rows);
      }
    const id = (relations += 1);
    // Sign-in has its schema in the search path.
    const full = `${(range['schemaname'] as string | undefined) ?? 'accounts'}.${name}`;
    const { columns = [], accountColumn } = tables.get(full) ?? {};
    if (accountColumn !== undefined) references.push({ table: full, key: `${id}.${accountColumn}` });
    return { alias, columns: columns.map((column) => ({ name: column, key: `${id}.${column}` })) };
  }

  /** Conditions on the rows of a subquery bind these rows, and not the tables below it. */
  function derived(alias: string, rows: readonly Output[]): Relation {
    return { alias, columns: rows.map(({ name, key }) => ({ name, key: derive([key]) })) };
  }

  function item(tree: Tree, scope: Scope, reach: Reach): void {
    const [kind, body] = Object.entries(tree)[0] as [string, Tree];
    const alias = body['alias'] as Tree | undefined;
    const aliasName = alias?.['aliasname'] as string;
    const names = list(alias, 'colnames').map(textOf);
    if (kind === 'RangeVar') scope.relations.push(table(body, scope));
    if (kind === 'RangeSubselect') {
      const rows = query(body['subquery'] as Tree, scope, nothing);
      const renamed = rows.map(({ name, key }, index) => ({ name: names[index] ?? name, key }));
      scope.relations.push(derived(aliasName, renamed));
    }
    if (kind === 'RangeFunction') scope.relations.push(func(body, { aliasName, names, scope }));
    if (kind === 'JoinExpr') join(body, scope, reach);
  }

  function join(body: Tree, scope: Scope, reach: Reach): void {
    const [left, right] = [body['larg'] as Tree, body['rarg'] as Tree];
    const before = relations;
    const known = scope.relations.length;
    item(left, scope, reach);
    const [middle, split] = [relations, scope.relations.length];
    item(right, scope, reach);
    const reaches: Record<string, Reach> = {
      JOIN_LEFT: (relation) => relation > middle && relation <= relations,
      JOIN_RIGHT: (relation) => relation > before && relation <= middle,
      JOIN_FULL: nothing,
    };
    const own = reaches[body['jointype'] as string] ?? reach;
    condition(body['quals'], scope, own);
    for (const name of list(body, 'usingClause').map(textOf)) {
      const sides = [scope.relations.slice(known, split), scope.relations.slice(split)];
      const [one, other] = sides.map((side) => columnOf(side, name));
      if (one !== undefined && other !== undefined) equal(one, other, own);
    }
  }

  function func(
    body: Tree,
    { aliasName, names, scope }: { aliasName: string | undefined; names: string[]; scope: Scope },
  ): Relation {
    const calls = list(body, 'functions').map((each) => list(each['List'], 'items')[0]!);
    visit(calls, scope);
    const call = calls[0]!['FuncCall'] as Tree | undefined;
    const called = call ? textOf(list(call, 'funcname').at(-1)!) : undefined;
    // Each column of unnest is one of its arrays.
    const sources = called === 'unnest' && calls.length === 1 ? list(call, 'args') : calls;
    const keys = sources.map((source) => value(source, scope));
    const defined = list(body, 'coldeflist').map(({ ColumnDef }) => (ColumnDef as Tree)['colname'] as string);
    const alias = aliasName ?? called ?? '';
    const columns = [...names, ...defined].map((name, index) => ({
      name,
      key: keys.length > 1 && keys[index] !== undefined ? keys[index] : derive(keys),
    }));
    if (columns.length > 0) return { alias, columns };
    if (keys.length > 1) return { alias, columns: keys.map((key) => ({ name: alias, key })) };
    return { alias, columns: [{ name: alias, key: derive(keys) }], other: derive(keys) };
  }

  function condition(tree: unknown, scope: Scope, reach: Reach): void {
    const { BoolExpr, A_Expr, SubLink } = (tree ?? {}) as Record<string, Tree | undefined>;
    if (BoolExpr?.['boolop'] === 'AND_EXPR')
      for (const each of list(BoolExpr, 'args')) condition(each, scope, reach);
    else if (SubLink) {
      const rows = subquery(SubLink, scope, reach);
      const test = SubLink['testexpr'] as Tree | undefined;
      const isEqual = SubLink['operName'] === undefined || isEquality(SubLink['operName']);
      if (test && SubLink['subLinkType'] === 'ANY_SUBLINK' && isEqual)
        for (const [index, part] of partsOf(test).entries())
          equal(value(part, scope), rows[index]!.key, reach);
    } else if (A_Expr && isEquality(A_Expr['name'])) {
      compare(A_Expr, scope, reach);
      visit([A_Expr['lexpr'], A_Expr['rexpr']], scope);
    } else visit(tree, scope);
  }

  function compare({ kind, lexpr, rexpr }: Tree, scope: Scope, reach: Reach): void {
    const [left, right] = [lexpr as Tree, rexpr as Tree];
    if (kind === 'AEXPR_OP' || kind === 'AEXPR_NOT_DISTINCT') {
      const [ones, others] = [partsOf(left), partsOf(right)];
      if (ones.length !== others.length) return;
      for (const [index, one] of ones.entries())
        equal(value(one, scope), value(others[index]!, scope), reach);
    }
    if (kind === 'AEXPR_OP_ANY') bind(value(left, scope), [value(right, scope)], reach);
    if (kind === 'AEXPR_IN') {
      const items = list(right['List'], 'items').map(partsOf);
      for (const [index, part] of partsOf(left).entries())
        bind(
          value(part, scope),
          items.map((item) => value(item[index]!, scope)),
          reach,
        );
    }
  }

  function subquery(link: Tree, scope: Scope, reach: Reach): readonly Output[] {
    const known = subqueries.get(link);
    if (known) return known;
    visit(link['testexpr'], scope);
    const rows = query(link['subselect'] as Tree, scope, reach);
    subqueries.set(link, rows);
    return rows;
  }

  /** Subqueries within an expression. */
  function visit(tree: unknown, scope: Scope): void {
    if (typeof tree !== 'object' || tree === null) return;
    if ('SubLink' in tree) subquery(tree.SubLink as Tree, scope, nothing);
    else for (const each of Object.values(tree)) visit(each, scope);
  }

  function outputs(targets: readonly Tree[], scope: Scope): Output[] {
    return targets.flatMap(({ ResTarget }) => {
      const { name, val } = ResTarget as { name?: string; val: Tree };
      const fields = list(val['ColumnRef'], 'fields');
      if (fields.at(-1) && 'A_Star' in fields.at(-1)!) {
        const of = fields.length > 1 ? textOf(fields.at(-2)!) : undefined;
        const read = scope.relations.filter(({ alias }) =>
          of === undefined ? !['excluded', 'old', 'new'].includes(alias) : alias === of,
        );
        return read.flatMap(({ columns }) => columns);
      }
      const named = fields.at(-1) ? textOf(fields.at(-1)!) : '';
      return [{ name: name ?? named, key: value(val, scope) }];
    });
  }

  function value(tree: Tree, scope: Scope): Key {
    const { TypeCast, ParamRef, A_Const, ColumnRef, SubLink } = tree as Record<string, Tree | undefined>;
    if (TypeCast) return value(TypeCast['arg'] as Tree, scope);
    if (ParamRef) return `=$${ParamRef['number'] as number}`;
    if (A_Const) return `='${(A_Const['sval'] as Tree | undefined)?.['sval'] as string}'`;
    if (ColumnRef) return column(list(ColumnRef, 'fields'), scope);
    if (SubLink) return subquery(SubLink, scope, nothing)[0]?.key ?? derive(['.']);
    const within = valuesIn(tree, scope);
    return within.length === 0 ? '=expression' : derive(within);
  }

  function valuesIn(tree: unknown, scope: Scope): Key[] {
    if (typeof tree !== 'object' || tree === null) return [];
    return Object.entries(tree).flatMap(([name, each]) =>
      ['ColumnRef', 'ParamRef', 'SubLink'].includes(name)
        ? [value({ [name]: each }, scope)]
        : valuesIn(each, scope),
    );
  }

  function column(fields: readonly Tree[], scope: Scope): Key {
    const [name, alias] = [textOf(fields.at(-1)!), fields.length > 1 ? textOf(fields.at(-2)!) : undefined];
    for (let at: Scope | undefined = scope; at; at = at.parent) {
      const read = at.relations.filter((relation) => alias === undefined || relation.alias === alias);
      const key = columnOf(read, name) ?? read.find(({ other }) => other !== undefined)?.other;
      if (key !== undefined) return key;
    }
    return derive(['.']);
  }

  const columnOf = (read: readonly Relation[], name: string): Key | undefined =>
    read.flatMap(({ columns }) => columns).find((column) => column.name === name)?.key;

  query(statement, undefined, nothing);
  const values = valuesByKey(rules);
  return references.map(({ table: name, key }) => ({ table: name, values: [...(values.get(key) ?? [])] }));
}

/** The values that each column equals, from the rules that lead from one to the other. */
function valuesByKey(rules: readonly { target: Key; from: readonly Key[] }[]): Map<Key, ReadonlySet<string>> {
  const values = new Map<Key, Set<string>>();
  const valuesOf = (key: Key): ReadonlySet<string> | undefined =>
    key.startsWith('=') ? new Set([key.slice(1)]) : values.get(key);
  for (let hasChanged = true; hasChanged;) {
    hasChanged = false;
    for (const { target, from } of rules) {
      const sources = from.map(valuesOf);
      if (sources.includes(undefined)) continue;
      const known = values.get(target) ?? new Set();
      const size = known.size;
      for (const value of sources.flatMap((source) => [...source!])) known.add(value);
      if (known.size > size) hasChanged = true;
      values.set(target, known);
    }
  }
  return values;
}

const list = (tree: unknown, name: string): readonly Tree[] =>
  ((tree as Tree | undefined)?.[name] ?? []) as readonly Tree[];

const textOf = (tree: Tree): string =>
  ((tree['String'] as Tree | undefined)?.['sval'] as string | undefined) ?? '';

const isEquality = (name: unknown): boolean => textOf((name as readonly Tree[])[0]!) === '=';

/** The values of a row, or the one value. */
function partsOf(tree: Tree): readonly Tree[] {
  const { RowExpr } = tree;
  return RowExpr === undefined ? [tree] : list(RowExpr, 'args');
}
