import { serviceEntities } from '@service/composition';
import { openDatabase, type Database } from '@service/database';
import { cloneTemplate } from '@service/database/testing';
import { inject } from 'vitest';
import { templateName } from './global-setup.ts';

export interface TestDatabase extends AsyncDisposable {
  database: Database;
  url: string;
}

/** A database of the test's own. Disposing fails the test if it left a connection open. */
export async function testDatabase(): Promise<TestDatabase> {
  const clone = await cloneTemplate(inject('adminUrl'), templateName);
  const database = await openDatabase({ url: clone.url, entities: serviceEntities, name: 'test' });
  return {
    database,
    url: clone.url,
    async [Symbol.asyncDispose]() {
      await database.close();
      await clone.drop();
    },
  };
}
