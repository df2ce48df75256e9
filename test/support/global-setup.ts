// One real PostgreSQL for the whole run, with a migrated template that every test clones.
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrateService } from '@service/composition';
import { createTemplate } from '@service/database/testing';
import { startEmbeddedPostgres } from '@service/embedded-postgres';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  export interface ProvidedContext {
    adminUrl: string;
  }
}

export const templateName = 'template_service';

export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'service-test-'));
  // As root the server runs as another user, who must be able to enter.
  await chmod(folder, 0o755);
  const server = await startEmbeddedPostgres({
    dataDir: join(folder, 'postgres'),
    // A test's database need not survive a power cut.
    settings: { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' },
  });
  await createTemplate(server.adminUrl, templateName, async (url) => void (await migrateService(url)));
  project.provide('adminUrl', server.adminUrl);
  return async () => {
    await server.stop({ immediate: true });
    await rm(folder, { recursive: true, force: true });
  };
}
