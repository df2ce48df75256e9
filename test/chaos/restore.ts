// A restore to an earlier time: a copy of the data folder, and the archived write-ahead log. PostgreSQL of npm has no pg_basebackup, so the
// copy is made with pg_backup_start and pg_backup_stop, which pg_basebackup uses too.
import { setTimeout as delay } from 'node:timers/promises';
import { check, type Drill } from './drill.ts';
import { runProgram } from './former-version.ts';
import { presentRoot } from '../support/service-process.ts';
import { waitUntil } from '../support/wait-until.ts';
import { subscribe } from './subscriptions.ts';
import { registerMany } from './traffic.ts';

const before = 200;
const waiting = 100;
const waitMaxMs = 60_000;
const quietMs = 5000;

export const restore: Drill = {
  name: 'restore',
  summary:
    `PostgreSQL is restored to a time when ${waiting} deliveries waited and an API key was valid; both were over when the data was lost. Everything of that ` +
    'time is there and nothing later. After after-restore the key is refused and nothing is sent, until --resume sends what waits.',
  seconds: quietMs / 1000,
  archive: true,
  async run({ openWorld, say }) {
    const world = await openWorld({ webinars: 1 });
    const { postgres, receiver, query } = world;
    const api = await world.startApi();
    const [webinar] = world.webinars;
    await subscribe(world, webinar!, '/ok/0');
    const admin = async (...args: string[]): Promise<Record<string, number>> => {
      const program = await runProgram(presentRoot, ['apps/local/src/admin.ts', ...args], {
        variables: { DATABASE_URL: world.databaseUrl, ENCRYPTION_KEY: world.encryptionKey },
        maxMs: waitMaxMs,
      });
      if (program.code !== 0) throw new Error(`${args.join(' ')} failed: ${program.stderr}`);
      return JSON.parse(program.stdout) as Record<string, number>;
    };
    const count = async (table: string): Promise<number> =>
      (await query<{ count: number }>(`select count(*)::int as count from ${table}`))[0]!.count;
    const arrived = (wanted: number): Promise<boolean> =>
      waitUntil(async () => (await receiver.countReceipts()) >= wanted, waitMaxMs);

    await postgres.takeBackup();
    say('copied');
    const first = await world.startWorker();
    await registerMany(world, webinar!, before);
    await arrived(before);
    await waitUntil(async () => (await world.countDue()) === 0, waitMaxMs);
    await first.stop();
    await registerMany(world, webinar!, waiting);
    // The time has milliseconds and is cut, so no commit may be near it.
    await delay(100);
    const [target] = await query<{ now: Date }>('select clock_timestamp() as now');
    await delay(100);
    const second = await world.startWorker();
    const isSent = await arrived(before + waiting);
    await registerMany(world, webinar!, waiting);
    await query('delete from keys.api_key');
    await second.stop();
    await api.stop();
    const sent = await receiver.countReceipts();

    const startedAt = performance.now();
    await postgres.restore(target!.now);
    const restoreMs = Math.round(performance.now() - startedAt);
    say('restored');
    const registrations = await count('attendees.registration');
    const [keys, due] = [await count('keys.api_key'), await world.countDue()];

    const ended = await admin('after-restore', '--keys', 'revoke');
    await world.startApi();
    const worker = await world.startWorker();
    await worker.untilReady();
    await delay(quietMs);
    const sentBefore = (await receiver.countReceipts()) - sent;
    const { status } = await fetch(`${world.apiOrigin}/api/v1/me`, {
      headers: { Authorization: `Bearer ${world.key}` },
    });
    const resumed = await admin('after-restore', '--resume');
    const isResumed = await arrived(sent + waiting);
    const isDone = await waitUntil(async () => (await world.countDue()) === 0, waitMaxMs);
    return {
      checks: [
        check('what waited at the time was sent before the loss', isSent, `${sent} arrived`),
        check(
          'everything up to the time is there, and nothing later',
          registrations === before + waiting,
          `${registrations} registrations`,
        ),
        check(
          'the restore revives the key and the deliveries',
          keys > 0 && due === waiting,
          `${keys} keys, ${due} deliveries`,
        ),
        check('the key is refused', status === 401 && ended['revokedKeys'] === keys, status),
        check('nothing is sent before --resume', sentBefore === 0, `${sentBefore} arrived in ${quietMs} ms`),
        check(
          'after --resume everything that waited is sent',
          isResumed && isDone && resumed['accountsWithResumedWebhooks'] === 1,
          `${(await receiver.countReceipts()) - sent} arrived`,
        ),
      ],
      figures: { 'restore, ms': restoreMs },
    };
  },
};
