// Postman's own program plays the collection of the main flow.
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { startReceiver } from '../support/receiver.ts';
import { testWorker } from '../support/worker.ts';
import { createWorld } from '../support/world.ts';
import { infraFolder, judgeProgram } from './judge-program.ts';

test('newman plays the collection, and refuses one that expects another status', async () => {
  await using world = await createWorld();
  await using receiver = await startReceiver();
  await using _worker = await testWorker(world.service.db.url);
  const folder = await mkdtemp(join(tmpdir(), 'postman-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const variables = { baseUrl: world.service.baseUrl, key: world.key, receiverUrl: receiver.url };
  const values = Object.entries(variables).flatMap(([name, value]) => ['--env-var', `${name}=${value}`]);
  const play = async (collection: string) => {
    const file = join(folder, 'collection.json');
    await writeFile(file, collection);
    const args = [judgeProgram('newman/bin/newman.js'), 'run', file, ...values, '--color', 'off'];
    return promisify(execFile)(process.execPath, args, { timeout: 50_000 });
  };
  const collection = await readFile(join(infraFolder, 'flows/main-flow.postman.json'), 'utf8');
  await play(collection);
  expect(receiver.received.map(({ body }) => JSON.parse(body.toString()).event_type)).toEqual(['registered']);
  const planted = play(collection.replace('have.status(201)', 'have.status(202)'));
  await expect(planted).rejects.toMatchObject({ stdout: expect.stringContaining('The status is 201') });
});
