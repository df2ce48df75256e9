// One real PostgreSQL for the whole run, with migrated templates that every test clones.
import { randomBytes } from 'node:crypto';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createAccounts } from '@service/accounts';
import { migrateService } from '@service/composition';
import { cloneTemplate, createTemplate } from '@service/database/testing';
import { startEmbeddedPostgres } from '@service/embedded-postgres';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { readTables, type TableEntries } from './account-bindings.ts';
import { createOwner, type TestAccount } from './factories.ts';
import { quickFolder } from './quick-folder.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    adminUrl: string;
    templates: Templates;
    /** Of the service, for `account-bindings.ts`. */
    tables: TableEntries;
  }
}

/** Names of databases to clone. */
interface Templates {
  /** Migrated and otherwise empty. */
  empty: string;
  /** With these accounts, so that tests need not hash their passwords. */
  filled: string;
  accounts: TestAccount[];
}

/** Enough for most tests; a further account is made when it is asked for. */
const accountsCount = 8;

export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  // Read by the programs that tests start (child-environment.ts).
  process.env['NODE_COMPILE_CACHE'] ??= join(import.meta.dirname, '../../node_modules/.cache/node-compile');
  const folder = await mkdtemp(join(await quickFolder(), 'service-test-'));
  // As root the server runs as another user, who must be able to enter.
  await chmod(folder, 0o755);
  const server = await startEmbeddedPostgres({
    dataDir: join(folder, 'postgres'),
    // A test's database need not survive a power cut. Its log is short, because it may be in memory.
    settings: { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_wal_size: '256MB' },
  });
  project.provide('adminUrl', server.adminUrl);
  const { tables, ...templates } = await createTemplates(server.adminUrl);
  project.provide('templates', templates);
  project.provide('tables', tables);
  return async () => {
    await server.stop({ immediate: true });
    await rm(folder, { recursive: true, force: true });
  };
}

async function createTemplates(adminUrl: string): Promise<Templates & { tables: TableEntries }> {
  const empty = 'template_service';
  // Without the partitions of a whole week a clone and each connection take a third less CPU. The run may pass midnight.
  await createTemplate(adminUrl, empty, async (url) => void (await migrateService(url, { daysAhead: 1 })));
  const { url } = await cloneTemplate(adminUrl, empty);
  const options = { databaseUrl: url, baseUrl: 'http://localhost', secret: randomBytes(32).toString('hex') };
  const module = await createAccounts(options);
  const accounts = await Promise.all(Array.from({ length: accountsCount }, () => createOwner(module)));
  await module.close();
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const tables = await readTables(client);
  await client.end();
  return { empty, filled: new URL(url).pathname.slice(1), accounts, tables };
}
