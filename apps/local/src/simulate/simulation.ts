// A simulation from the creation of its webinar to the comparison.
import { setTimeout as wait } from 'node:timers/promises';
import { createClient, type Client } from '@service/client';
import { createAgenda } from './agenda.ts';
import { createActionLog } from './attendee/action-log.ts';
import { performAction } from './attendee/action.ts';
import { planAttendee, lobbySeconds } from './attendee/behaviour.ts';
import { createSessionClock } from './attendee/session-clock.ts';
import type { SimulatedAttendee, World } from './attendee/simulated-attendee.ts';
import { openTab } from './attendee/tab.ts';
import type { Percentiles } from './latency-histogram.ts';
import type { Options } from './options.ts';
import { createProgramme, type Programme } from './programme.ts';
import { createRandom, seedOf } from './random.ts';
import { createHttp, type Http } from './service/http.ts';
import { registerAll } from './service/register-all.ts';
import type { RevenueDoors } from './service/revenue-doors.ts';
import { readRevenueTotals } from './service/revenue-records.ts';
import { createRoom } from './service/room-client.ts';
import { createSetup, switchOffWebhooks, moveSession, type Setup } from './service/setup.ts';
import { startSimulationReceiver, type SimulationReceiver } from './service/simulation-receiver.ts';
import type { Target } from './service/target.ts';
import { createPaymentProvider } from './shop/payment-provider.ts';
import { createShop, type Shop } from './shop/shop.ts';
import { createStatusLine, describeRetries, type Progress } from './simulation-progress.ts';
import { compareWithRecords } from './verdict/compare-with-records.ts';
import type { Reconciliation } from './verdict/reconcile.ts';

/** Attempts of a call after the first. Each waits for the next window when the rate limit is used up. */
const retriesMax = 20;

export interface Summary {
  webinarId: string;
  sessionId: string;
  seed: number;
  attendees: number;
  /** Attendees whose events and executions were read. */
  checked: number;
  videoSeconds: number;
  heartbeatsPerSecond: number;
  latencies: Record<string, Percentiles>;
  /** Counts of refused calls. */
  refusals: Record<string, number>;
  /** Counts of retried calls, by `api 503` or `heartbeat time-out`. */
  retries: Record<string, number>;
  /** Null when the service refuses webhooks to this machine. */
  deliveries: { received: number; repeats: number; forged: number } | null;
  /** Webhooks of the payment providers, and requests with one. Null without a shop. */
  revenue: { webhooks: number; requests: number } | null;
  /** Null when it was stopped before the comparison. */
  reconciliation: Reconciliation | null;
}

interface SimulationContext {
  target: Target;
  progress: Progress;
  /** Aborted to end now. Actions until then are still compared. */
  stop: AbortSignal;
  /** Aborted to skip the comparison. */
  stopNow: AbortSignal;
}

interface Run extends SimulationContext {
  options: Options;
  programme: Programme;
  http: Http;
  client: Client;
  receiver: SimulationReceiver;
  key: string;
  /** Undefined when the revenue sources of the account cannot be used. */
  doors: RevenueDoors | undefined;
}

export async function simulate(options: Options, context: SimulationContext): Promise<Summary> {
  const { target, progress, stopNow } = context;
  const http = createHttp(target.baseUrl);
  const onLimit = (ms: number): void =>
    progress.say(`The rate limit is used up. Waiting for ${Math.ceil(ms / 1000)} s.`);
  const client = createClient({
    baseUrl: target.baseUrl,
    key: target.key,
    fetch: http.fetch,
    retriesMax,
    onRetry({ status, error, waitMs }) {
      http.noteRetry('api', status === undefined ? { error } : { status });
      if (status === 429) onLimit(waitMs);
    },
    wait: (ms) => wait(ms, undefined, { signal: stopNow }),
  });
  const programme = createProgramme(options);
  await using receiver = await startSimulationReceiver();
  try {
    progress.show(() => 'Creating the webinar');
    const setup = await createSetup(client, programme, receiver);
    progress.say(
      `Webinar ${setup.webinarId}, ${programme.seconds} s, seed ${options.seed}, with ${target.origin}.`,
    );
    if (!setup.webhooks)
      progress.say(
        'The service sends no webhooks to this machine (WEBHOOK_ALLOWED_CIDRS). Continuing without them.',
      );
    try {
      await using revenue = await target.openRevenue();
      const { doors, reason } = revenue;
      if (reason !== undefined) progress.say(`No purchases: ${reason}`);
      return await runOn(setup, {
        ...context,
        options,
        programme,
        http,
        client,
        receiver,
        key: target.key,
        doors,
      });
    } finally {
      if (!stopNow.aborted) await switchOffWebhooks(client, setup);
    }
  } finally {
    await http.close();
  }
}

async function runOn(setup: Setup, run: Run): Promise<Summary> {
  const { options, programme, http, client, receiver, progress, stop, stopNow } = run;
  const attendees = await registerAttendees(setup, run);
  const shop = run.doors && openShop(setup, run, run.doors);
  const revenueBefore = shop && (await readRevenueTotals(client));
  const world = createWorld(setup, run, shop);
  const { receipts } = receiver;
  progress.show(createStatusLine({ world, http, programme, receipts }));
  try {
    await play(world, attendees, { programme, move: (action) => moveSession(client, setup, action), stop });
  } catch (error) {
    world.agenda.close();
    throw error;
  }
  const heartbeats = http.latency('heartbeat')?.count ?? 0;
  const playedSeconds = world.clock.positionAt(performance.now());
  const reconciliation = world.clock.hasStarted()
    ? await compareWithRecords(
        { world, attendees, setup, programme, receipts, revenueBefore },
        { client, checked: options.checked, progress, stop, stopNow },
      )
    : null;
  return {
    webinarId: setup.webinarId,
    sessionId: setup.sessionId,
    seed: options.seed,
    attendees: attendees.length,
    checked: Math.min(options.checked, attendees.length),
    videoSeconds: programme.seconds,
    heartbeatsPerSecond: playedSeconds > 0 ? Math.round((heartbeats / playedSeconds) * 10) / 10 : 0,
    latencies: Object.fromEntries(http.latencies()),
    refusals: Object.fromEntries(world.room.refusals),
    retries: Object.fromEntries(http.retries),
    deliveries: setup.webhooks
      ? { received: receipts.count(), repeats: receipts.repeats(), forged: receiver.forged() }
      : null,
    revenue: shop ? countSent(shop) : null,
    reconciliation,
  };
}

function countSent(shop: Shop): Summary['revenue'] {
  const { webhooks, requests } = shop.sent();
  return { webhooks, requests };
}

/** Registers all attendees, each with its own plan. */
async function registerAttendees(
  setup: Setup,
  { options, programme, http, client, progress, stop }: Run,
): Promise<SimulatedAttendee[]> {
  let registered = 0;
  progress.show(() =>
    [`Registering: ${registered} of ${options.attendees}`, ...describeRetries(http.retries)].join('  '),
  );
  const registrants = await registerAll(client, setup, {
    attendees: options.attendees,
    onBatch: (count) => (registered = count),
    stop,
  });
  return registrants.map((registrant, index) => ({
    ...registrant,
    index,
    plan: planAttendee(createRandom(seedOf(options.seed, index)), programme),
    actionLog: createActionLog(),
    openTabs: 0,
    clickUrls: new Map(),
  }));
}

const openShop = ({ sessionId }: Setup, { options, http, key }: Run, doors: RevenueDoors): Shop =>
  createShop(createPaymentProvider(http, { ...doors, key }, createRandom(options.seed)), {
    run: `sim${sessionId.slice(-12)}`,
    seed: options.seed,
  });

const createWorld = (
  { interactions }: Setup,
  { options, programme, http }: Run,
  shop: Shop | undefined,
): World => ({
  shop,
  agenda: createAgenda(),
  room: createRoom(http),
  clock: createSessionClock(programme.seconds),
  interactions,
  videoSeconds: programme.seconds,
  heartbeatSeconds: options.heartbeatSeconds,
  jitter: createRandom(options.seed),
  counters: { inRoom: 0, openTabs: 0, actions: 0 },
});

interface PlayOptions {
  programme: Programme;
  /** Starts or ends the session. */
  move(action: 'start' | 'end'): Promise<unknown>;
  stop: AbortSignal;
}

/** The host keeps the session open for a moment after the video, so that the last heartbeats count. */
const overtimeSeconds = 3;

/** Plays a session from its lobby to its end. A stop ends the session, if it has begun. */
async function play(
  world: World,
  attendees: readonly SimulatedAttendee[],
  options: PlayOptions,
): Promise<void> {
  const { agenda, clock } = world;
  const { programme, move, stop } = options;
  const startsAtMs = performance.now() + lobbySeconds(programme) * 1000 + 1000;
  for (const attendee of attendees) {
    for (const stay of attendee.plan.stays) {
      const open = (): void => void openTab(world, attendee, stay);
      if (stay.from < 0) agenda.at(startsAtMs + stay.from * 1000, open);
      else clock.whenStarted(() => agenda.at(clock.timeOf(stay.from), open));
    }
    clock.whenStarted(() => {
      for (const action of attendee.plan.actions)
        agenda.at(clock.timeOf(action.at), () => performAction(world, attendee, action));
    });
  }
  await waitUntil(startsAtMs, stop);
  if (stop.aborted) return agenda.close();
  await move('start');
  clock.start(performance.now());
  await waitUntil(clock.timeOf(programme.seconds + overtimeSeconds), stop);
  if (stop.aborted) agenda.close();
  clock.end(performance.now());
  await move('end');
}

const waitUntil = (atMs: number, stop: AbortSignal): Promise<void> =>
  wait(Math.max(0, atMs - performance.now()), undefined, { signal: stop }).catch(() => undefined);
