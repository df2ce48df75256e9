// A simulation from its webinar to its verdict.
import { createAgenda } from './agenda.ts';
import { createApi, type Api } from './service/api.ts';
import { planAttendee } from './attendee/behaviour.ts';
import type { Performer, World } from './attendee/crowd.ts';
import { nothingDone } from './attendee/doings.ts';
import type { Percentiles } from './histogram.ts';
import { createHttp, type Http } from './service/http.ts';
import { judge } from './verdict/judge.ts';
import type { Options } from './options.ts';
import { play } from './play.ts';
import { createProgramme, type Programme } from './programme.ts';
import type { Progress } from './progress.ts';
import { createRandom, seedOf } from './random.ts';
import { startSimulationReceiver, type SimulationReceiver } from './service/receiver.ts';
import type { Reconciliation } from './verdict/reconcile.ts';
import { registerAll } from './service/register.ts';
import { createRoom } from './service/room.ts';
import { createSessionClock } from './attendee/session-clock.ts';
import { buildStage, leaveStage, moveSession, type Stage } from './service/stage.ts';
import { createStatusLine } from './status-line.ts';
import type { Target } from './service/target.ts';

export interface Summary {
  webinarId: string;
  sessionId: string;
  seed: number;
  attendees: number;
  /** Of these, those whose events and executions were read. */
  checked: number;
  videoSeconds: number;
  heartbeatsPerSecond: number;
  latencies: Record<string, Percentiles>;
  /** How often which call was refused. */
  refusals: Record<string, number>;
  /** Null when the service does not let webhooks go to this machine. */
  deliveries: { received: number; repeats: number; forged: number } | null;
  /** Null when it was stopped before there was anything to compare. */
  reconciliation: Reconciliation | null;
}

interface Surroundings {
  target: Target;
  progress: Progress;
  /** Aborted to end now; what was done until then is still compared. */
  stop: AbortSignal;
  /** Aborted to compare nothing more. */
  hurry: AbortSignal;
}

interface Run extends Surroundings {
  options: Options;
  programme: Programme;
  http: Http;
  api: Api;
  receiver: SimulationReceiver;
}

export async function simulate(options: Options, surroundings: Surroundings): Promise<Summary> {
  const { target, progress, hurry } = surroundings;
  const http = createHttp(target.baseUrl);
  const onLimit = (ms: number): void =>
    progress.say(`The rate limit is used up; going on in ${Math.ceil(ms / 1000)} s.`);
  const api = createApi({ http, key: target.key, signal: hurry, onLimit });
  const programme = createProgramme(options);
  await using receiver = await startSimulationReceiver();
  try {
    progress.show(() => 'Making the webinar');
    const stage = await buildStage(api, programme, receiver);
    progress.say(
      `Webinar ${stage.webinarId}, ${programme.seconds} s, seed ${options.seed}, with ${target.origin}.`,
    );
    if (!stage.followed)
      progress.say(
        'The service sends no webhooks to this machine (WEBHOOK_ALLOWED_CIDRS): playing without them.',
      );
    try {
      return await runOn(stage, { ...surroundings, options, programme, http, api, receiver });
    } finally {
      if (!hurry.aborted) await leaveStage(api, stage);
    }
  } finally {
    await http.close();
  }
}

async function runOn(stage: Stage, run: Run): Promise<Summary> {
  const { options, programme, http, api, receiver, progress, stop, hurry } = run;
  const performers = await gather(stage, run);
  const world = createWorld(stage, run);
  const { receipts } = receiver;
  progress.show(createStatusLine({ world, http, programme, receipts }));
  try {
    await play(world, performers, { programme, move: (action) => moveSession(api, stage, action), stop });
  } catch (error) {
    world.agenda.close();
    throw error;
  }
  const heartbeats = http.latency('heartbeat')?.count ?? 0;
  const playedSeconds = world.clock.positionAt(performance.now());
  const reconciliation = world.clock.hasStarted()
    ? await judge(
        { world, performers, stage, programme, receipts },
        { api, checked: options.checked, progress, stop, hurry },
      )
    : null;
  return {
    webinarId: stage.webinarId,
    sessionId: stage.sessionId,
    seed: options.seed,
    attendees: performers.length,
    checked: Math.min(options.checked, performers.length),
    videoSeconds: programme.seconds,
    heartbeatsPerSecond: playedSeconds > 0 ? Math.round((heartbeats / playedSeconds) * 10) / 10 : 0,
    latencies: Object.fromEntries(http.latencies()),
    refusals: Object.fromEntries(world.room.refusals),
    deliveries: stage.followed
      ? { received: receipts.count(), repeats: receipts.repeats(), forged: receiver.forged() }
      : null,
    reconciliation,
  };
}

/** Registers everybody, each with a plan of their own. */
async function gather(stage: Stage, { options, programme, api, progress, stop }: Run): Promise<Performer[]> {
  let registered = 0;
  progress.show(() => `Registering: ${registered} of ${options.attendees}`);
  const registrants = await registerAll(api, stage, {
    attendees: options.attendees,
    onBatch: (count) => (registered = count),
    stop,
  });
  return registrants.map((registrant, index) => ({
    ...registrant,
    plan: planAttendee(createRandom(seedOf(options.seed, index)), programme),
    doings: nothingDone(),
    openTabs: 0,
    clickUrls: new Map(),
  }));
}

const createWorld = ({ interactions }: Stage, { options, programme, http }: Run): World => ({
  agenda: createAgenda(),
  room: createRoom(http),
  clock: createSessionClock(programme.seconds),
  interactions,
  videoSeconds: programme.seconds,
  heartbeatSeconds: options.heartbeatSeconds,
  jitter: createRandom(options.seed),
  tally: { inRoom: 0, openTabs: 0, acts: 0 },
});
