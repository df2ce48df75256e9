import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { Agent, request } from 'undici';
import { check, type Check, type Drill } from './drill.ts';
import { killAt, judgeFailures, seconds } from './judge.ts';
import { freePort } from '../support/free-port.ts';
import { readDeliveries } from './records.ts';
import { reconcile } from './reconcile.ts';
import { subscribeHealthy } from './subscriptions.ts';
import type { Answer } from './traffic.ts';
import { openAccount, type ChaosWorld } from './world.ts';

const peopleDefault = 20_000;
const lanes = 48;
const killEveryMs = 4000;
/** Every so many people, one is registered by 50 equal calls at once. */
const equalEvery = 400;
const equalCalls = 50;
/** Every so many people, the database refuses one. */
const poisonEvery = 250;
const capacity = 100;
const callers = 5000;
const equalPeople = 20;
/** Requests of an account in a day, more than the calls for places and their repetitions. */
const rateLimit = 12_000;
const callsOverLimit = 500;
const lockedMs = 3000;
/** For a call while a session of another account is locked. */
const besideLockMaxMs = 1000;

export const killBatches: Drill = {
  name: 'kill-batches',
  summary:
    'Registrations that share transactions: 20,000 single calls for one webinar, each with an Idempotency-Key, while API and worker are ' +
    'killed (-9) in turn. A call without an answer is made again. Some are made by 50 equal calls at once, and some are refused by ' +
    'the database. Before, over four API processes: 5,000 callers for 100 places, equal calls, and one call more than the rate limit has. ' +
    'Then a locked session of another account. Nothing is lost or made twice.',
  seconds: 60,
  overheadMaxSeconds: 240,
  async run({ openWorld, say, rows: people = peopleDefault }) {
    const world = await openWorld({ webinars: 2 });
    const [crowd, small] = world.webinars;
    const agent = new Agent({ connections: lanes * 2 });
    const limits = await judgeLimits(world, { agent, webinar: small!, say });
    const parts = { api: await world.startApi(), worker: await world.startWorker() };
    await subscribeHealthy(world, [crowd!]);
    await parts.worker.untilReady();
    await world.query(refusePoison);
    const register = (webinarId: string, email: string, sessionTime: string) =>
      registerOnce(world, agent, { webinarId, email, sessionTime });

    say('beside a locked session');
    const beside = await registerBesideLock(world, (index) =>
      register(crowd!.id, `beside-${index}@example.com`, crowd!.sessionTime),
    );

    const killedAt: number[] = [];
    const kills = { api: 0, worker: 0 };
    const killing = new AbortController();
    const killer = (async () => {
      for (let turn = 0; ; turn += 1) {
        await delay(killEveryMs, undefined, { signal: killing.signal });
        const name = turn % 2 === 0 ? 'api' : 'worker';
        await parts[name].kill();
        kills[name] += 1;
        if (name === 'worker') killedAt.push(Date.now());
        parts[name] = name === 'api' ? await world.startApi() : await world.startWorker();
        await parts[name].untilReady();
      }
    })().catch((error: unknown): never[] => {
      if (!killing.signal.aborted) throw error;
      return [];
    });
    let made = 0;
    const registering = inLanes(people, async (index) => {
      const isPoisoned = index % poisonEvery === 1;
      const email = `${isPoisoned ? 'poison' : 'ada'}-${index}@example.com`;
      const again = (): Promise<Registered> => register(crowd!.id, email, crowd!.sessionTime);
      const calls = index % equalEvery === 0 ? equalCalls : 1;
      const results = await Promise.all(Array.from({ length: calls }, again));
      made += 1;
      if (made % 500 === 0) say(`${made} of ${people}, ${kills.api + kills.worker} kills`);
      return results;
    });
    // A process that does not start again ends the drill.
    const results = (await Promise.race([registering, killer])).flat();
    killing.abort();
    await killer;
    await agent.close();
    say('draining');
    const again = results.reduce((sum, { tries }) => sum + tries - 1, 0);
    const answers: Answer[] = [...beside.results, ...results].map(({ email, status }) => ({
      at: 0,
      durationMs: 0,
      status,
      emails: [email],
      acknowledged: status === 201,
    }));
    const traffic = [{ answers, notSent: () => 0, stop: async () => undefined }];
    const { checks, figures } = await reconcile(world, { traffic, interruptions: killedAt.map(killAt) });
    return {
      checks: [
        ...limits,
        ...beside.checks,
        check(
          'API and worker were killed, and calls were made again',
          kills.api > 0 && kills.worker > 0 && again > 0,
          `${kills.api} and ${kills.worker} kills, ${again} calls`,
        ),
        ...(await judgeCalls(world, results)),
        ...checks,
        judgeFailures(await readDeliveries(world)),
      ],
      figures: {
        ...figures,
        kills: kills.api + kills.worker,
        'calls made again': again,
      },
    };
  },
};

// The transaction of such a registration fails, and with it the batch that it belongs to.
const refusePoison = `
  create function attendees.refuse_poison() returns trigger language plpgsql as $$
    begin raise exception 'poisoned'; end $$;
  create trigger refuse_poison before insert on attendees.registration
    for each row when (new.email like 'poison-%') execute function attendees.refuse_poison()`;

interface Registered {
  email: string;
  status: number;
  /** Of the registration. */
  id: string | undefined;
  code: string | undefined;
  tries: number;
}

/** Answers after which the call is made again with its key: it waits for its first try, or the service is starting. */
const triedAgain: ReadonlySet<string | undefined> = new Set([
  'idempotency_in_progress',
  'service_busy',
  'outcome_unknown',
  'service_unavailable',
]);

/** For a minute without an API. */
const triesMax = 1200;

interface Person {
  webinarId: string;
  email: string;
  sessionTime: string;
}

/** Registers a person. The call is made until it is answered, with one key. */
async function registerOnce(
  { apiOrigin, key }: Pick<ChaosWorld, 'apiOrigin' | 'key'>,
  agent: Agent,
  { webinarId, email, sessionTime }: Person,
): Promise<Registered> {
  for (let tries = 1; tries <= triesMax; tries += 1) {
    try {
      const answer = await request(`${apiOrigin}/api/v1/webinars/${webinarId}/registrations`, {
        method: 'POST',
        dispatcher: agent,
        headers: {
          authorization: `Bearer ${key}`,
          'content-type': 'application/json',
          'idempotency-key': email,
        },
        body: JSON.stringify({ name: 'Ada', email, sessionTime }),
      });
      const { data, code } = (await answer.body.json()) as { data?: { id: string }; code?: string };
      if (!triedAgain.has(code)) return { email, status: answer.statusCode, id: data?.id, code, tries };
    } catch {
      // No answer: it may have happened or not.
    }
    await delay(50);
  }
  throw new Error(`The registration of ${email} has no answer after ${triesMax} calls.`);
}

async function inLanes<Result>(count: number, run: (index: number) => Promise<Result>): Promise<Result[]> {
  const results: Result[] = [];
  let begun = 0;
  const lane = async (): Promise<void> => {
    while (begun < count) {
      const index = begun++;
      results[index] = await run(index);
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  return results;
}

/** Registers people while calls of another account wait for a session that is locked. */
async function registerBesideLock(world: ChaosWorld, register: (index: number) => Promise<Registered>) {
  const other = await openAccount(world.apiOrigin, 'Other');
  const sessionTime = `${new Date().getUTCFullYear() + 1}-06-01T09:00:00.000Z`;
  const schedule = {
    recurrences: [{ frequency: 'once', startDate: sessionTime.slice(0, 10), time: '09:00' }],
  };
  const { id } = await other.call<{ id: string }>('POST /webinars', {
    title: 'B',
    timezone: 'UTC',
    schedule,
  });
  await other.call(`POST /webinars/${id}/publish`, {});
  const locker = new pg.Client({ connectionString: world.databaseUrl });
  await locker.connect();
  await locker.query('begin');
  await locker.query('select from webinars.session where webinar_id = $1 for update', [id]);
  const people = Array.from({ length: 30 }, (_, index) => {
    const person = { name: 'Ada', email: `b-${index}@example.com`, sessionTime };
    return other.call<{ id: string }>(`POST /webinars/${id}/registrations`, person);
  });
  const waiting = Promise.allSettled(people);
  const results: Registered[] = [];
  let slowestMs = 0;
  const endAt = performance.now() + lockedMs;
  for (let index = 0; performance.now() < endAt; index += 1) {
    const startedAt = performance.now();
    results.push(await register(index));
    slowestMs = Math.max(slowestMs, performance.now() - startedAt);
  }
  const [{ early }] = (await world.query<{ early: number }>(
    'select count(*)::int as early from attendees.registration where webinar_id = $1',
    [id],
  )) as [{ early: number }];
  await locker.query('rollback');
  await locker.end();
  const done = (await waiting).filter(({ status }) => status === 'fulfilled').length;
  return {
    results,
    checks: [
      check(
        `while a session of another account is locked, a call takes at most ${seconds(besideLockMaxMs)}`,
        results.length > 0 && slowestMs <= besideLockMaxMs && early === 0,
        `the slowest of ${results.length} took ${Math.round(slowestMs)} ms`,
      ),
      check(
        'the calls for the locked session are done when it is free',
        done === people.length,
        `${done} of ${people.length}`,
      ),
    ],
  };
}

interface LimitsOptions {
  agent: Agent;
  webinar: Pick<Person, 'sessionTime'> & { id: string };
  say: (doing: string) => void;
}

/** Limits that four API processes keep together, each called in turn. The processes have ended when it resolves. */
async function judgeLimits(world: ChaosWorld, { agent, webinar, say }: LimitsOptions): Promise<Check[]> {
  const variables = { API_RATE_LIMIT: String(rateLimit), API_RATE_WINDOW_SECONDS: '86400' };
  const processes = [await world.startApi({ variables })];
  while (processes.length < 4) processes.push(await world.startApi({ variables, port: await freePort() }));
  const worlds = processes.map(({ origin }) => ({ apiOrigin: origin, key: world.key }));
  const { id, sessionTime } = webinar;

  say(`${callers} callers for ${capacity} places`);
  await world.call(`PATCH /webinars/${id}`, { registrationForm: { capacityPerSession: capacity } });
  const places = await inLanes(callers, (index) => {
    const person = { webinarId: id, email: `place-${index}@example.com`, sessionTime };
    return registerOnce(worlds[index % 4]!, agent, person);
  });
  const checks = await judgePlaces(world, id, places);

  say('equal calls');
  await world.call(`PATCH /webinars/${id}`, {
    registrationForm: { capacityPerSession: capacity + equalPeople },
  });
  const equal = await inLanes(equalPeople * equalCalls, (index) => {
    const person = {
      webinarId: id,
      email: `equal-${Math.floor(index / equalCalls)}@example.com`,
      sessionTime,
    };
    return registerOnce(worlds[index % 4]!, agent, person);
  });
  const ids = new Set(equal.map((one) => `${one.email} ${one.id}`));
  const refused = equal.filter(({ status }) => status !== 201).length;
  checks.push(
    check(
      `over four processes ${equalCalls} calls with one Idempotency-Key get one answer`,
      ids.size === equalPeople && refused === 0,
      `${ids.size} answers for ${equalPeople} keys, ${refused} refused`,
    ),
  );

  say(`${rateLimit} calls of one account`);
  const { key } = await openAccount(world.apiOrigin, 'Limited');
  const ask = async (origin: string) => {
    const { statusCode, headers, body } = await request(`${origin}/api/v1/me`, {
      dispatcher: agent,
      headers: { authorization: `Bearer ${key}` },
    });
    await body.dump();
    return { status: statusCode, remaining: Number(headers['x-ratelimit-remaining']) };
  };
  const { remaining } = await ask(world.apiOrigin);
  const asked = await inLanes(remaining + callsOverLimit, (index) => ask(processes[index % 4]!.origin));
  const passed = asked.filter(({ status }) => status === 200).length;
  const limited = asked.filter(({ status }) => status === 429).length;
  checks.push(
    check(
      'over four processes an account makes exactly as many calls as its rate limit has left',
      remaining > 0 && passed === remaining && limited === callsOverLimit,
      `${remaining} left, ${passed} passed, ${limited} refused`,
    ),
  );
  await Promise.all(processes.map((process) => process.kill()));
  return checks;
}

async function judgePlaces(
  world: ChaosWorld,
  webinarId: string,
  results: readonly Registered[],
): Promise<Check[]> {
  const [row] = await world.query<{ count: number; counted: number }>(
    `select (select count(*)::int from attendees.registration where webinar_id = $1) as count,
       (select sum(registered_count)::int from webinars.session where webinar_id = $1) as counted`,
    [webinarId],
  );
  const made = results.filter(({ status }) => status === 201).length;
  const full = results.filter(({ code }) => code === 'session_full').length;
  return [
    check(
      `over four processes, of ${callers} callers ${capacity} get a place, and the others are refused`,
      made === capacity &&
        full === callers - capacity &&
        row!.count === capacity &&
        row!.counted === capacity,
      `${made} made, ${full} refused, ${row!.count} rows, counted ${row!.counted}`,
    ),
  ];
}

/** Equal calls have one registration, and only poisoned calls have failed. */
async function judgeCalls(world: ChaosWorld, results: readonly Registered[]): Promise<Check[]> {
  const groups = [...Map.groupBy(results, ({ email }) => email).values()];
  const differing = groups.filter((own) => new Set(own.map(({ id }) => id)).size > 1).length;
  const isPoisoned = ({ email }: Registered): boolean => email.startsWith('poison-');
  const poisoned = results.filter(isPoisoned);
  const failed = results.filter((one) => !isPoisoned(one) && one.status !== 201);
  const rows = await world.query<{ count: number; poisoned: number; doubled: number }>(
    `select count(*)::int as count, (count(*) filter (where email like 'poison-%'))::int as poisoned,
       (count(*) - count(distinct (webinar_id, email)))::int as doubled
     from attendees.registration where account_id = $1`,
    [world.accountId],
  );
  const [row] = rows;
  return [
    check(
      'equal calls have one registration',
      differing === 0 && row!.doubled === 0,
      `${differing} groups differ, ${row!.doubled} doubled`,
    ),
    check(
      'each call that the database refuses fails alone',
      poisoned.length > 0 &&
        poisoned.every(({ status }) => status >= 500) &&
        failed.length === 0 &&
        row!.poisoned === 0,
      `${poisoned.length} refused, ${failed.length} others failed${failed[0] ? ` (${failed[0].code})` : ''}`,
    ),
  ];
}
