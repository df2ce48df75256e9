import type { Migration } from '@mikro-orm/migrations';

/** A migration with its stored name, such as `202611250445-create-webinars`: the UTC time of its writing, and the change. */
export type MigrationEntry = MigrationInSteps | MigrationOfClass;

interface MigrationName {
  name: string;
  /**
   * The name of a former migration: processes of all versions that have it may run beside this change, and others are not ready from
   * this migration on. Without it, processes of no former version are ready.
   */
  compatibleFrom?: string;
}

interface MigrationInSteps extends MigrationName {
  steps: readonly [MigrationStep, ...MigrationStep[]];
  class?: undefined;
}

/** The form of the migrations until 2026-11-26: one transaction, of the statements that `up` adds. */
interface MigrationOfClass extends MigrationName {
  class: new (...args: ConstructorParameters<typeof Migration>) => Migration;
  steps?: undefined;
}

/**
 * A step is done before the next one begins. An interrupted migration begins again at the step that was interrupted.
 * Names of tables have their schema.
 */
export type MigrationStep =
  /** Statements as one transaction, for changes that need no scan of a table that exists. Its locks are waited for briefly. */
  { sql: string } | { index: NewIndex } | { constraint: NewConstraint } | { backfill: Backfill };

/** An index that is built while its table is written. */
export interface NewIndex {
  table: string;
  /** Without a schema. */
  name: string;
  isUnique?: boolean;
  /** The text after the table, such as `(account_id, host_id) where host_id is not null`. */
  on: string;
}

/** A constraint that new rows must meet at once, and that the rows which exist are compared with afterwards. */
interface NewConstraint {
  table: string;
  /** One that exists is replaced. */
  name: string;
  /** Such as `check (minutes > 0)` or `foreign key (user_id) references accounts."user" (id)`. */
  definition: string;
}

/** A change of the rows that exist, in batches in the order of the primary key. Rows that are written meanwhile may get it or not. */
export interface Backfill {
  table: string;
  /**
   * A statement that changes the rows of `batch`, which has the columns of the primary key:
   * `update webinars.webinar w set x = w.y from batch b where (w.account_id, w.id) = (b.account_id, b.id)`.
   */
  change: string;
  /** Rows of a batch; 1,000. */
  rowsMax?: number;
}

/**
 * True when a version may run beside a migration that it does not know.
 * @param versionNames the names of the version's own migrations.
 */
export const isCompatible = (
  compatibleFrom: MigrationEntry['compatibleFrom'] | null,
  versionNames: ReadonlySet<string>,
): boolean => typeof compatibleFrom === 'string' && versionNames.has(compatibleFrom);

export function stepsOf(entry: MigrationEntry): readonly MigrationStep[] {
  if (entry.steps) return entry.steps;
  // `up` of these migrations only adds statements, so it needs no connection.
  const migration = new entry.class(undefined as never, undefined as never);
  void migration.up();
  return [{ sql: (migration.getQueries() as string[]).join(';\n') }];
}

/** The step that adds or replaces the check of a column with a closed set. */
export function closedSet(table: string, column: string, values: readonly string[]): MigrationStep {
  const set = values.map((value) => `'${value}'`).join(', ');
  return {
    constraint: {
      table,
      name: `${table.split('.')[1]}_${column}_check`,
      definition: `check (${column} in (${set}))`,
    },
  };
}
