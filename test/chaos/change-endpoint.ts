import type { BenchWorld } from '../bench/bench-world.ts';
import { check, type Check, type Drill } from './drill.ts';
import { subscribe } from './subscriptions.ts';
import { registerMany } from './traffic.ts';
import { waitUntil } from '../support/wait-until.ts';
import { workerConcurrency, type ChaosWorld } from './world.ts';

type Webinar = BenchWorld['webinars'][number];

const workerCount = 2;
const perEndpoint = 300;
const rows = 20;
const underWay = 20;
const waitMaxMs = 30_000;

export const changeEndpoint: Drill = {
  name: 'change-endpoint',
  summary:
    'While deliveries wait, and again while they are being sent: a subscription is deleted, one is switched off, a rule is ' +
    'switched off, a URL is changed. What waited is cancelled, or goes to the new URL and nowhere else.',
  seconds: 10,
  async run({ openWorld, say }) {
    const world = await openWorld({ webinars: 2 * changes.length });
    await world.startApi();
    const prepare = (webinars: readonly Webinar[], phase: string): Promise<Case[]> =>
      Promise.all(
        changes.map((change, index) => createCase(world, change, { webinar: webinars[index]!, phase })),
      );

    say('while they wait');
    const waiting = await prepare(world.webinars.slice(0, changes.length), 'waiting');
    for (const one of waiting) await registerMany(world, one.webinar, perEndpoint);
    for (const one of waiting) await one.apply();
    for (let started = 0; started < workerCount; started += 1) await world.startWorker();
    const firstDrained = await waitUntil(async () => (await world.countDue()) === 0, waitMaxMs);
    const first = await judge(world, waiting, 0);

    say('while they are sent');
    const sending = await prepare(world.webinars.slice(changes.length), 'sending');
    // In turns, so that all of them are being sent at the same time.
    for (let made = 0; made < perEndpoint; made += rows)
      for (const one of sending) await registerMany(world, one.webinar, rows);
    await waitUntil(async () => {
      const paths = (await world.receiver.receipts()).map(({ path }) => path);
      return sending.every(({ oldPath }) => paths.filter((path) => path === oldPath).length >= underWay);
    }, waitMaxMs);
    await Promise.all(sending.map((one) => one.apply()));
    const secondDrained = await waitUntil(async () => (await world.countDue()) === 0, waitMaxMs);
    const second = await judge(world, sending, workerCount * workerConcurrency);
    return {
      checks: [
        check(
          'the queue empties both times',
          firstDrained && secondDrained,
          `${firstDrained}, ${secondDrained}`,
        ),
        ...first,
        ...second,
      ],
      figures: { deliveries: 2 * changes.length * perEndpoint },
    };
  },
};

interface Change {
  name: string;
  /** True: deliveries that wait go to the new URL. False: they are not sent. */
  moves: boolean;
  /** True: the sender is a rule. False: a subscription. */
  isRule: boolean;
  apply(world: ChaosWorld, path: string, newUrl: string): Promise<unknown>;
}

const changes: Change[] = [
  {
    name: 'subscription deleted',
    moves: false,
    isRule: false,
    apply: (world, path) => world.call(`DELETE ${path}`),
  },
  {
    name: 'subscription switched off',
    moves: false,
    isRule: false,
    apply: (world, path) => world.call(`PATCH ${path}`, { active: false }),
  },
  {
    name: 'rule switched off',
    moves: false,
    isRule: true,
    apply: (world, path) => world.call(`PATCH ${path}`, { enabled: false }),
  },
  {
    name: 'URL changed',
    moves: true,
    isRule: false,
    apply: (world, path, newUrl) => world.call(`PATCH ${path}`, { url: newUrl }),
  },
];

interface Case {
  name: string;
  moves: boolean;
  webinar: Webinar;
  oldPath: string;
  newPath: string;
  answeredAt: number;
  apply(): Promise<void>;
}

async function createCase(
  world: ChaosWorld,
  change: Change,
  { webinar, phase }: { webinar: Webinar; phase: string },
): Promise<Case> {
  const { name, moves } = change;
  const oldPath = `/slow/200/${webinar.id}/old`;
  const newPath = `/slow/200/${webinar.id}/new`;
  const path = change.isRule
    ? await createRule(world, webinar, oldPath)
    : (await subscribe(world, webinar, oldPath)).path;
  const made: Case = {
    name: `${phase}, ${name}`,
    moves,
    webinar,
    oldPath,
    newPath,
    answeredAt: Infinity,
    async apply() {
      await change.apply(world, path, `${world.receiver.origins[0]}${newPath}`);
      made.answeredAt = Date.now();
    },
  };
  return made;
}

async function createRule(world: ChaosWorld, webinar: Webinar, path: string): Promise<string> {
  const collection = `/webinars/${webinar.id}/automations`;
  const { id } = await world.call<{ id: string }>(`POST ${collection}`, {
    name: 'Mine',
    trigger: { type: 'registered' },
    action: { type: 'webhook', url: `${world.receiver.origins[0]}${path}` },
  });
  return `${collection}/${id}`;
}

interface Ends {
  webinarId: string;
  cancelled: number;
  failed: number;
  total: number;
}

const selectEnds = `
  select execution.webinar_id as "webinarId", count(*)::int as total,
    (count(*) filter (where ended_as = 'cancelled'))::int as cancelled,
    (count(*) filter (where ended_as = 'failure'))::int as failed
  from automations.execution join deliveries.delivery on delivery.id = execution.delivery_id
  group by execution.webinar_id`;

/** `inFlightMax`: requests to what is no longer wanted that may have been under way at the answer. */
async function judge(world: ChaosWorld, cases: readonly Case[], inFlightMax: number): Promise<Check[]> {
  const receipts = await world.receiver.receipts();
  const ends = await world.query<Ends>(selectEnds);
  return cases.map(({ name, moves, webinar, oldPath, newPath, answeredAt }) => {
    const { total, cancelled, failed } = ends.find(({ webinarId }) => webinarId === webinar.id)!;
    const toOld = receipts.filter(({ path }) => path === oldPath);
    const toNew = receipts.filter(({ path }) => path === newPath).length;
    const late = toOld.filter(({ at }) => at > answeredAt);
    const lastMs = late.reduce((last, { at }) => Math.max(last, at - answeredAt), 0);
    const requests = toOld.length + toNew;
    const isWhole = total === perEndpoint && failed === 0 && requests + cancelled === total;
    const isRight = moves ? cancelled === 0 && toNew > 0 : cancelled > 0 && toNew === 0;
    return check(
      name,
      isWhole && isRight && late.length <= (moves ? 0 : inFlightMax),
      `of ${total} ${cancelled} cancelled, ${toNew} to the new URL, ${toOld.length} to the old one, ` +
        `${late.length} of them after the answer${late.length > 0 ? `, the last after ${lastMs} ms` : ''}`,
    );
  });
}
