import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { keepDatabase } from './database.ts';

vi.setConfig({ testTimeout: 60_000 });

let dataDir: string;

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'keep-database-'));
});

afterEach(() => rm(dataDir, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 }));

describe.skipIf(process.platform !== 'linux')('the built-in database', () => {
  test('stop() ends a server that is just starting again after a crash', async () => {
    const failures: Error[] = [];
    const database = await keepDatabase({
      dataDir,
      log: () => {},
      giveUp: (error) => void failures.push(error),
    });
    const lockFile = join(database.location, 'cluster', 'postmaster.pid');
    const readPid = async () => Number.parseInt(await readFile(lockFile, 'utf8'), 10);
    const crashed = await readPid();
    process.kill(crashed, 'SIGKILL');
    let pid = crashed;
    await vi.waitFor(
      async () => {
        pid = await readPid();
        expect(pid).toBeGreaterThan(0);
        expect(pid).not.toBe(crashed);
      },
      { timeout: 30_000, interval: 5 },
    );
    await database.stop(new AbortController().signal);
    expect(() => process.kill(pid, 0)).toThrow('ESRCH');
    expect(failures).toEqual([]);
  });
});
