// Open streams of one process. One member in twenty workspaces opens ten in each, which is the limit.
import { setTimeout as delay } from 'node:timers/promises';
import { createId, type Database } from '@service/database';
import { openStream, type TestStream } from '../support/stream.ts';
import { eventually } from '../support/eventually.ts';
import { processCpuMicroseconds } from './cpu.ts';
import type { SignedUp } from '../support/sign-up.ts';
import { residentMegabytes } from './memory.ts';
import { percentilesOf } from './percentiles.ts';
import type { BenchServer } from './server.ts';

export interface StreamFigures {
  streams: number;
  /** CPU of the process in microseconds per second, divided by the streams. */
  idleCpu: number;
  busyCpu: number;
  kilobytes: number;
  changes: number;
  messages: number;
  /** From the answer of the last change of a workspace to the message. */
  delayMs: number;
  delayP99Ms: number;
  missed: number;
}

interface StreamOptions {
  database: Database;
  server: BenchServer;
  member: SignedUp;
  seconds: number;
}

const workspaces = 20;
const streamsEach = 10;
const changesPerSecond = 40;

export async function measureStreams(options: StreamOptions): Promise<StreamFigures> {
  const { server, member, seconds } = options;
  const baseUrl = server.origin;
  const accountIds = await addWorkspaces(options);
  await using opened = new AsyncDisposableStack();
  const open = async (accountId: string): Promise<TestStream> => {
    const stream = opened.use(await openStream({ baseUrl }, { cookie: member.cookie, accountId }));
    await eventually('the stream is open', () => stream.messages.length > 0);
    return stream;
  };
  // The first one also starts what all streams share.
  await open(member.accountId);
  await delay(1000);
  const before = await residentMegabytes(server.pid);
  const streams: { accountId: string; stream: TestStream }[] = [];
  for (const accountId of accountIds)
    for (let made = 0; made < streamsEach; made += 1)
      streams.push({ accountId, stream: await open(accountId) });
  await delay(1000);
  const kilobytes = ((await residentMegabytes(server.pid)) - before) * (1024 / streams.length);
  const idleCpu = await cpuOf(server.pid, () => delay(seconds * 1000));

  const opening = streams.reduce((sum, { stream }) => sum + stream.messages.length, 0);
  let changes = 0;
  const busyCpu = await cpuOf(server.pid, async () => {
    const endsAt = performance.now() + seconds * 1000;
    while (performance.now() < endsAt) {
      await rename(options, accountIds[changes % workspaces]!);
      changes += 1;
      await delay(1000 / changesPerSecond);
    }
  });
  await delay(1000);
  const messages = streams.reduce((sum, { stream }) => sum + stream.messages.length, 0) - opening;
  const delays = await measureDelays(options, streams);
  const arrived = delays.filter((ms) => ms !== undefined);
  const { p50, p99 } = percentilesOf(arrived);
  return {
    streams: streams.length,
    idleCpu: idleCpu / streams.length,
    busyCpu: busyCpu / streams.length,
    kilobytes,
    changes,
    messages,
    delayMs: p50,
    delayP99Ms: p99,
    missed: delays.length - arrived.length,
  };
}

/** Microseconds of CPU per second. */
async function cpuOf(pid: number, work: () => Promise<void>): Promise<number> {
  const [startedAt, before] = [performance.now(), await processCpuMicroseconds(pid)];
  await work();
  const after = await processCpuMicroseconds(pid);
  return ((after - before) / (performance.now() - startedAt)) * 1000;
}

/** One change in each workspace. The delay of each stream, or undefined if the change did not arrive. */
async function measureDelays(
  options: StreamOptions,
  streams: { accountId: string; stream: TestStream }[],
): Promise<(number | undefined)[]> {
  return Promise.all(
    [...Map.groupBy(streams, ({ accountId }) => accountId)].map(async ([accountId, own]) => {
      const before = own.map(({ stream }) => stream.messages.length);
      await rename(options, accountId);
      const changedAt = performance.now();
      return Promise.all(
        own.map(({ stream }, index) =>
          stream.untilChanged('members', before[index]).then(
            () => performance.now() - changedAt,
            () => undefined,
          ),
        ),
      );
    }),
  ).then((delays) => delays.flat());
}

/** Workspaces of the member. A sign-up would make one only. */
async function addWorkspaces({ database, member }: StreamOptions): Promise<string[]> {
  const accountIds = Array.from({ length: workspaces }, () => createId());
  await database.pool.query(
    `with made as (
       insert into accounts.organization (id, name, slug, "createdAt")
       select id, 'Workspace', 'workspace-' || id, now() from unnest($1::text[]) id returning id
     )
     insert into accounts.member (id, "organizationId", "userId", role, "createdAt")
     select 'member-' || id, id, $2, 'owner', now() from made`,
    [accountIds, member.userId],
  );
  return accountIds;
}

const rename = ({ member }: StreamOptions, accountId: string): Promise<unknown> =>
  member.mutate('accounts.workspace.rename', { name: 'Renamed' }, accountId);
