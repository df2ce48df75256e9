import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { watchSources } from './local-commands.ts';

test('a change of a source of a module is reported, also beside documents and folders without sources', async () => {
  const root = await mkdtemp(join(tmpdir(), 'sources-'));
  onTestFinished(() => rm(root, { recursive: true }));
  for (const folder of ['apps/api/src', 'packages/log/dist', 'modules/keys/src/migrations'])
    await mkdir(join(root, folder), { recursive: true });
  await writeFile(join(root, 'modules/README.md'), '');
  const { promise: changed, resolve } = Promise.withResolvers<string>();
  const stop = await watchSources(root, () => resolve('changed'));
  onTestFinished(stop);
  await writeFile(join(root, 'modules/keys/src/migrations/index.ts'), 'export {};');
  expect(await changed).toBe('changed');
});
