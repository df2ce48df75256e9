import { serviceEntities } from '@service/composition';
import { openDatabase, type Database } from '@service/database';
import { cloneTemplate } from '@service/database/testing';
import { inject } from 'vitest';
import type { TestAccount } from './factories.ts';

export interface TestDatabase extends AsyncDisposable {
  database: Database;
  url: string;
  /** Accounts that exist in it and that no part of the test uses yet. */
  spareAccounts?: TestAccount[];
}

// Databases of one template have the same accounts. A test with several databases expects different ones, so each begins
// with another.
let clones = 0;

/** A database of the test's own. Disposing fails the test if it left a connection open. */
export async function testDatabase({ withAccounts = false } = {}): Promise<TestDatabase> {
  const { empty, filled, accounts } = inject('templates');
  const clone = await cloneTemplate(inject('adminUrl'), withAccounts ? filled : empty);
  const database = await openDatabase({ url: clone.url, entities: serviceEntities, name: 'test' });
  return {
    database,
    url: clone.url,
    spareAccounts: withAccounts ? rotate(accounts, clones++) : [],
    async [Symbol.asyncDispose]() {
      await database.close();
      await clone.drop();
    },
  };
}

function rotate<Item>(items: readonly Item[], by: number): Item[] {
  const first = by % items.length;
  return [...items.slice(first), ...items.slice(0, first)];
}
