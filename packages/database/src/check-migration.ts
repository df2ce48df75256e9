import { setTimeout as delay } from 'node:timers/promises';
import { Migration } from '@mikro-orm/migrations';
import { isLockRefusal } from './pg-error.ts';

/** A column whose values are of a closed set. */
interface ClosedSet {
  /** With its schema. */
  table: string;
  column: string;
  values: readonly string[];
}

/** The longest wait of one attempt for a lock, and so of the statements behind it. */
const lockTimeoutMs = 100;
const triesMax = 200;
const pauseMs = 150;

/**
 * Adds checks to tables in use, or replaces them. The strong lock lasts only for a moment, because the rows are compared later
 * and without it. So the statements are not one transaction. A migration that was interrupted starts again from the beginning.
 */
export abstract class CheckMigration extends Migration {
  abstract readonly sets: readonly ClosedSet[];

  override isTransactional(): boolean {
    return false;
  }

  override async up(): Promise<void> {
    for (const { table, column, values } of this.sets) {
      const name = `${table.split('.')[1]}_${column}_check`;
      const set = values.map((value) => `'${value}'`).join(', ');
      await this.#alter(
        `alter table ${table} drop constraint if exists ${name},
           add constraint ${name} check (${column} in (${set})) not valid`,
      );
      await this.execute(`set local statement_timeout = 0; alter table ${table} validate constraint ${name}`);
    }
  }

  async #alter(sql: string): Promise<void> {
    for (let tries = 1; ; tries += 1) {
      try {
        await this.execute(`set local lock_timeout = ${lockTimeoutMs}; ${sql}`);
        return;
      } catch (error) {
        if (!isLockRefusal(error) || tries === triesMax) throw error;
      }
      await delay(pauseMs);
    }
  }
}
