import { randomBytes } from 'node:crypto';
import { Pool } from 'undici';
import { startAnswering } from '../support/answering-process.ts';

import { startReceiverProcess, type ReceiverProcess } from '../support/receiver-process.ts';
import { waitUntil } from '../support/wait-until.ts';
import { measureRounds, type Bench, type BenchRun } from './bench.ts';
import { startBenchProcess } from './bench-process.ts';
import { createBenchWorld } from './bench-world.ts';
import { postgresCpuMicroseconds, processCpuMicroseconds } from './cpu.ts';
import { runOpenLoop } from './open-loop.ts';
import { percentilesOf } from './percentiles.ts';
import { atLeast, atMost, columns, count, mediansOf, ms } from './report.ts';
import { emailsOf, subscribe } from './write.ts';

const concurrency = 32;
const rates = [100, 300, 1000];
const openSeconds = 5;
/** For the last webhook. */
const waitMaxMs = 30_000;

/** A service that takes registrations and sends their webhooks. */
interface Door {
  origin: string;
  pids: Record<'api' | 'worker', number | undefined>;
  path: string;
  headers: Record<string, string>;
  /** The receiver of its webhooks. */
  receiver: ReceiverProcess;
}

export const door: Bench = {
  name: 'door',
  summary:
    'from the request that registers a person to the webhook at its receiver, with API and worker: as fast as 32 connections can, and at ' +
    '100, 300 and 1,000/s. Ceiling: an express service that writes the same rows with pg and posts the same webhook in one process',
  async run({ database, url, rounds, requests, use }) {
    const world = await createBenchWorld(database, 1);
    const service = { databaseUrl: url, encryptionKey: randomBytes(32).toString('base64') };
    const api = use(await startBenchProcess('api', service));
    const worker = use(await startBenchProcess('worker', service));
    const [receiver, bareReceiver] = [use(await startReceiver()), use(await startReceiver())];
    const urls = [`${receiver.origins[0]!}/ok/hook`];
    const target = await subscribe(database, world, { origin: api.origin, urls });
    const [webinar] = world.webinars;
    const bare = use(
      await startAnswering<number>(new URL('door-ceiling-process.ts', import.meta.url), [
        url,
        JSON.stringify(target),
        `${bareReceiver.origins[0]!}/ok/hook`,
      ]),
    );
    const doors: Record<'service' | 'ceiling', Door> = {
      service: {
        origin: api.origin,
        pids: { api: api.pid, worker: worker.pid },
        path: `/api/v1/webinars/${webinar!.id}/registrations`,
        headers: { authorization: `Bearer ${world.key}` },
        receiver,
      },
      ceiling: {
        origin: `http://127.0.0.1:${bare.first}`,
        pids: { api: bare.pid, worker: undefined },
        path: '/registrations',
        headers: {},
        receiver: bareReceiver,
      },
    };
    const measure = async (at: Door, perSecond: number | undefined) =>
      measureDoor(at, { database, sessionTime: webinar!.sessionTime, requests, perSecond });
    const rows: { name: string; service: Figures; ceiling: Figures }[] = [];
    for (const perSecond of [undefined, ...rates]) {
      const measured = await measureRounds(rounds, async () => ({
        service: await measure(doors.service, perSecond),
        ceiling: await measure(doors.ceiling, perSecond),
      }));
      rows.push({
        name: perSecond === undefined ? `${concurrency} connections` : `${count(perSecond)}/s`,
        service: mediansOf(measured.map((one) => one.service)),
        ceiling: mediansOf(measured.map((one) => one.ceiling)),
      });
    }
    const [flat, slow, middle] = rows;
    const cpuOf = ({ apiCpu, workerCpu, postgresCpu }: Figures): number => apiCpu + workerCpu + postgresCpu;
    return {
      figures: { rows },
      text: columns([
        ['', 'delivered/s', 'request p50', 'p99', 'answer p50', 'p99', 'us: API', 'worker', 'Postgres'],
        ...rows.flatMap(({ name, service: own, ceiling }) => [cells(name, own), cells('  ceiling', ceiling)]),
      ]),
      targets: [
        atLeast('delivered/s to the ceiling', flat!.service.perSecond / flat!.ceiling.perSecond, 0.9, 0.7),
        atMost('request to receiver p99 in ms at 300/s', middle!.service.requestP99, 50, 150),
        atMost('CPU at 100/s to that of 32 connections', cpuOf(slow!.service) / cpuOf(flat!.service), 2, 10),
      ],
    };
  },
};

const startReceiver = () => startReceiverProcess({ receivers: 1, record: 'bodies' });

/** Times in ms: to the receiver, from the request and from its answer. CPU of each registration in microseconds. */
interface Figures {
  perSecond: number;
  requestP50: number;
  requestP99: number;
  answerP50: number;
  answerP99: number;
  apiCpu: number;
  workerCpu: number;
  postgresCpu: number;
}

const cells = (name: string, figures: Figures): string[] => [
  name,
  count(figures.perSecond),
  ms(figures.requestP50),
  ms(figures.requestP99),
  ms(figures.answerP50),
  ms(figures.answerP99),
  ...[figures.apiCpu, figures.workerCpu, figures.postgresCpu].map(count),
];

interface Load extends Pick<BenchRun, 'database' | 'requests'> {
  sessionTime: string;
  /** Undefined: as fast as they are answered. */
  perSecond: number | undefined;
}

async function measureDoor(at: Door, { database, sessionTime, requests, perSecond }: Load): Promise<Figures> {
  // Shorter than servers keep idle connections.
  const pool = new Pool(at.origin, { connections: concurrency * 4, keepAliveTimeout: 1000 });
  const emailOf = emailsOf();
  const journeys = new Map<string, { requestedMs: number; answeredMs: number }>();
  const register = async (index: number): Promise<void> => {
    const requestedMs = Date.now();
    const answer = await pool.request({
      method: 'POST',
      path: at.path,
      headers: { ...at.headers, 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'Ada Lovelace', email: emailOf(index), sessionTime }),
    });
    const answeredMs = Date.now();
    if (answer.statusCode !== 201) throw new Error(`${answer.statusCode} ${await answer.body.text()}`);
    const { data } = (await answer.body.json()) as { data?: { id: string } };
    journeys.set(data!.id, { requestedMs, answeredMs });
  };
  const before = await at.receiver.countReceipts();
  const cpuBefore = await readCpu(database, at);
  const startedMs = Date.now();
  if (perSecond === undefined) await inTurns(requests, register);
  else await runOpenLoop({ perSecond, seconds: openSeconds, arrive: register });
  const arrived = async () => (await at.receiver.countReceipts()) - before >= journeys.size;
  if (!(await waitUntil(arrived, waitMaxMs))) throw new Error('Some webhooks did not arrive.');
  const receipts = (await at.receiver.receipts()).slice(before);
  // Results are written after the answers of the receiver.
  const cpuAfter = await readCpu(database, at);
  await pool.close();
  const arrivals = receipts.flatMap(({ at: receivedMs, body }) => {
    const { attendee } = JSON.parse(body!) as { attendee: { registration_id: string } };
    const journey = journeys.get(attendee.registration_id);
    return journey ? [{ ...journey, receivedMs }] : [];
  });
  const fromRequest = percentilesOf(arrivals.map(({ requestedMs, receivedMs }) => receivedMs - requestedMs));
  const fromAnswer = percentilesOf(
    arrivals.map(({ answeredMs, receivedMs }) => Math.max(0, receivedMs - answeredMs)),
  );
  const seconds = (Math.max(...arrivals.map(({ receivedMs }) => receivedMs)) - startedMs) / 1000;
  const cpuOf = (name: keyof typeof cpuAfter): number => (cpuAfter[name] - cpuBefore[name]) / journeys.size;
  return {
    perSecond: arrivals.length / seconds,
    requestP50: fromRequest.p50,
    requestP99: fromRequest.p99,
    answerP50: fromAnswer.p50,
    answerP99: fromAnswer.p99,
    apiCpu: cpuOf('api'),
    workerCpu: cpuOf('worker'),
    postgresCpu: cpuOf('postgres'),
  };
}

async function readCpu(database: BenchRun['database'], { pids }: Door) {
  const of = async (pid: number | undefined) => (pid === undefined ? 0 : processCpuMicroseconds(pid));
  return {
    api: await of(pids.api),
    worker: await of(pids.worker),
    postgres: await postgresCpuMicroseconds(database.pool),
  };
}

async function inTurns(requests: number, run: (index: number) => Promise<void>): Promise<void> {
  let started = 0;
  const lane = async (): Promise<void> => {
    while (started < requests) await run(started++);
  };
  await Promise.all(Array.from({ length: concurrency }, lane));
}
