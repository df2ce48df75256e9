// Random attendances of two sessions, whose results must equal a model of the same actions and the events. SEED=n tries others.
import { runSessionClock } from '@service/attendees';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { testApi, type TestApi } from '../support/api.ts';
import type { Attendee } from '../support/attendee.ts';
import { createWorld, type World } from '../support/world.ts';
import { requestsFor, seed } from './judge.ts';

/** 8 of `npm run fuzz`. */
const runs = requestsFor(1);

const durationSeconds = 120;
const stepSeconds = 10;
const steps = durationSeconds / stepSeconds;
const minSeconds = 30;
const completionPercent = 60;

interface Plan {
  /** Of the two sessions. */
  session: 0 | 1;
  source: string | null;
  /** The parts of ten seconds that the attendee watches. */
  watches: boolean[];
  sees: boolean[];
  clicks: boolean[];
  option: 'yes' | 'no' | null;
  cancels: boolean;
  buysForMinor: number | null;
  currency: 'EUR' | 'USD';
}

const arbitraryPlan: fc.Arbitrary<Plan> = fc.record({
  session: fc.constantFrom(0, 1),
  source: fc.constantFrom('mail', 'ads', null),
  watches: fc.oneof(
    fc.array(fc.boolean(), { minLength: steps, maxLength: steps }),
    fc.nat(steps).map((until) => Array.from({ length: steps }, (_, step) => step < until)),
  ),
  sees: fc.array(fc.boolean(), { minLength: 3, maxLength: 3 }),
  clicks: fc.array(fc.boolean(), { minLength: 2, maxLength: 2 }),
  option: fc.constantFrom('yes', 'no', null),
  cancels: fc.nat(7).map((number) => number === 0),
  buysForMinor: fc.option(fc.integer({ min: 1, max: 10_000 }), { freq: 2 }),
  currency: fc.constantFrom('EUR', 'USD'),
});

let service: TestApi;
let clock: World['clock'];
beforeAll(async () => {
  let atMs = Date.now();
  clock = {
    now: () => new Date(atMs),
    advance: (seconds) => void (atMs += seconds * 1000),
    setTo: (time) => void (atMs = new Date(time).getTime()),
  };
  service = await testApi({ now: clock.now });
});
afterAll(() => service[Symbol.asyncDispose]());

const inMinutes = (minutes: number): string =>
  new Date(Math.ceil(Date.now() / 60_000 + minutes) * 60_000).toISOString();

const once = (startsAt: string) => ({
  frequency: 'once',
  startDate: startsAt.slice(0, 10),
  time: startsAt.slice(11, 16),
});

/** Lets the people do what they plan. Returns their registrations in the same order. */
async function play(world: World, plans: readonly Plan[], starts: readonly string[], ids: readonly string[]) {
  const [offer, handout, poll] = ids as [string, string, string];
  const people: Attendee[] = [];
  for (const [index, { session, source }] of plans.entries())
    people.push(
      await world.attend(`person-${index}@example.com`, {
        sessionTime: starts[session],
        ...(source !== null && { utm: { source } }),
      }),
    );
  for (const [session, startsAt] of starts.entries()) {
    clock.setTo(startsAt);
    const present = plans.flatMap((plan, index) =>
      plan.session === session && plan.watches.includes(true) ? { plan, attendee: people[index]! } : [],
    );
    await Promise.all(present.map(({ attendee }) => attendee.visit()));
    for (let step = 0; step < steps; step += 1) {
      clock.advance(stepSeconds);
      const interval: [number, number] = [step * stepSeconds, (step + 1) * stepSeconds];
      const watching = present.filter(({ plan }) => plan.watches[step]);
      await Promise.all(watching.map(({ attendee }) => attendee.beat({ intervals: [interval] })));
      if (step !== steps - 2) continue;
      for (const { plan, attendee } of present) {
        for (const [place, id] of ids.entries()) if (plan.sees[place]) await attendee.view(id);
        for (const [place, id] of [offer, handout].entries())
          if (plan.clicks[place]) for (const _twice of [1, 2]) await attendee.click(id);
        if (plan.option) await attendee.answer(poll, plan.option);
      }
    }
  }
  for (const [index, { buysForMinor, currency }] of plans.entries())
    if (buysForMinor !== null)
      await world.rest('POST /revenue/events', {
        type: 'purchase',
        event_id: `purchase-${index}`,
        amount_minor: buysForMinor,
        currency,
        email: `person-${index}@example.com`,
        timestamp: clock.now().toISOString(),
      });
  for (const [index, { cancels }] of plans.entries())
    if (cancels) await world.call(`POST /registrations/${people[index]!.registrationId}/cancel`);
  const { subscriber } = service.api.service;
  const now = new Date(clock.now().getTime() + 3_600_000);
  for (let round = 0; round < 4; round += 1)
    await runSessionClock(service.db.database, {
      now: new Date(now.getTime() + round * 60_000),
      subscriber,
      signal: new AbortController().signal,
      onFailure(error) {
        throw error;
      },
    });
  return people;
}

/** The numbers that the plans lead to. */
function modelOf(plans: readonly Plan[]) {
  const people = plans.map((plan) => {
    const seconds = plan.watches.filter(Boolean).length * stepSeconds;
    const acts = seconds > 0;
    return { ...plan, seconds, acts, attended: !plan.cancels && seconds >= minSeconds };
  });
  const live = people.filter(({ cancels }) => !cancels);
  const attended = people.filter((person) => person.attended);
  const percent = (part: number, whole: number) =>
    whole === 0 ? null : Math.round((part / whole) * 1000) / 10;
  const joined = live.filter(({ acts }) => acts);
  const count = (of: typeof people, test: (person: (typeof people)[number]) => unknown): number =>
    of.filter(test).length;
  const completed = count(attended, ({ seconds }) => seconds * 100 >= durationSeconds * completionPercent);
  const engaged = count(attended, ({ clicks, option }) => clicks.includes(true) || option !== null);
  const clicked = count(attended, ({ clicks }) => clicks[0]);
  const buyers = people.filter(({ buysForMinor }) => buysForMinor !== null);
  const sums = new Map<string, number>();
  for (const { buysForMinor, currency } of buyers)
    sums.set(currency, (sums.get(currency) ?? 0) + buysForMinor!);
  const each = (sum: number, whole: number) => (whole === 0 ? null : Math.round(sum / whole));
  const response = (place: number, test: (person: (typeof people)[number]) => unknown) => {
    const seen = count(joined, ({ sees }) => sees[place]);
    const responded = count(joined, test);
    return { seen, responsePercent: percent(responded, seen) };
  };
  return {
    counts: {
      registered: live.length,
      cancelled: people.length - live.length,
      joined: joined.length,
      attended: attended.length,
      noShow: live.length - attended.length,
      completed,
      engaged,
      clicked,
      watchedReplay: 0,
      attendancePercent: percent(attended.length, live.length),
      noShowPercent: percent(live.length - attended.length, live.length),
      completionPercent: percent(completed, attended.length),
      engagementPercent: percent(engaged, attended.length),
      clickPercent: percent(clicked, attended.length),
      averageWatchedSeconds:
        attended.length === 0
          ? null
          : Math.round(attended.reduce((sum, { seconds }) => sum + seconds, 0) / attended.length),
    },
    viewers: Array.from({ length: steps }, (_, step) => count(joined, ({ watches }) => watches[step])),
    interactions: [
      { ...response(0, ({ clicks }) => clicks[0]), clicked: count(joined, ({ clicks }) => clicks[0]) },
      { ...response(1, ({ clicks }) => clicks[1]), clicked: count(joined, ({ clicks }) => clicks[1]) },
      {
        ...response(2, ({ option }) => option),
        answered: count(joined, ({ option }) => option),
        options: [
          { id: 'yes', label: 'Yes', count: count(joined, ({ option }) => option === 'yes') },
          { id: 'no', label: 'No', count: count(joined, ({ option }) => option === 'no') },
        ],
      },
    ],
    sources: ['ads', 'mail', null]
      .map((source) => ({
        source,
        registered: count(live, (person) => person.source === source),
        attended: count(attended, (person) => person.source === source),
      }))
      .filter(({ registered }) => registered > 0),
    revenue: {
      buyers: buyers.length,
      conversionPercent: percent(
        count(attended, ({ buysForMinor }) => buysForMinor !== null),
        attended.length,
      ),
      sums: [...sums]
        .map(([currency, netMinor]) => ({
          currency,
          netMinor,
          perRegistrantMinor: each(netMinor, live.length),
          perAttendeeMinor: each(netMinor, attended.length),
        }))
        .toSorted((one, other) => (one.currency < other.currency ? -1 : 1)),
    },
  };
}

interface Result {
  curve: { viewers: number[]; stepSeconds: number };
  interactions: object[];
  sources: { source: string | null }[];
  revenue: object;
}

/** Compares a result with the plans that it is about. */
function expectResult(result: Result, plans: readonly Plan[]): void {
  const { counts, viewers, interactions, sources, revenue } = modelOf(plans);
  expect(result).toMatchObject({ ...counts, countedRegistrations: plans.length, isComplete: true });
  expect(result.curve).toMatchObject({ stepSeconds, viewers });
  expect(result.interactions).toMatchObject(interactions);
  const sorted = result.sources.toSorted((one, other) =>
    (one.source ?? '~') < (other.source ?? '~') ? -1 : 1,
  );
  expect(sorted).toEqual(sources);
  expect(result.revenue).toEqual(revenue);
}

const eventCounts = `
  select e.type, e.data ->> 'interactionId' as id, count(distinct e.registration_id)::int as people
  from attendees.attendee_event e join attendees.registration r using (account_id, session_id)
  where e.account_id = $1 and e.registration_id = r.id and r.status <> 'cancelled' group by 1, 2`;

test(
  `${runs} webinars with random attendances: the results equal a model and the events`,
  { timeout: 60_000 + runs * 30_000 },
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(arbitraryPlan, { minLength: 8, maxLength: 14 }), async (plans) => {
        const starts = [inMinutes(10), inMinutes(20)];
        clock.setTo(new Date());
        await using world = await createWorld({
          beside: { service, clock },
          sessionTime: starts[0]!,
          webinar: {
            durationSeconds,
            attendance: { minSeconds, completionPercent, noShowGraceMinutes: 0 },
            schedule: { recurrences: starts.map(once) },
          },
        });
        const ids = [
          await world.interaction({ type: 'offer', url: 'https://shop.example/', buttonLabel: 'Buy' }),
          await world.interaction({ type: 'handout', url: 'https://shop.example/a', fileName: 'a.pdf' }),
          await world.interaction({
            type: 'poll',
            options: [
              { id: 'yes', label: 'Yes' },
              { id: 'no', label: 'No' },
            ],
          }),
        ];
        const people = await play(world, plans, starts, ids);
        const result = await world.get('/analytics');
        expectResult(result, plans);
        for (const session of [0, 1] as const) {
          const ofSession = plans.filter((plan) => plan.session === session);
          const sessionId = people[plans.findIndex((plan) => plan.session === session)]?.sessionId;
          if (!sessionId) continue;
          expectResult(await world.get(`/sessions/${sessionId}/analytics`), ofSession);
          const row = result.sessions.find((one: { sessionId: string }) => one.sessionId === sessionId);
          expect(row).toMatchObject({ ...modelOf(ofSession).counts, startsAt: starts[session] });
        }
        const { rows } = await service.db.database.pool.query(eventCounts, [world.accountId]);
        const happened = (type: string, id: string | null = null): number =>
          rows.find((row) => row.type === type && row.id === id)?.people ?? 0;
        expect(result.joined).toBe(happened('joined'));
        expect(result.noShow).toBe(happened('no_show'));
        const [offer, handout, poll] = ids as [string, string, string];
        expect(result.interactions).toMatchObject([
          { seen: happened('interaction_view', offer), clicked: happened('cta_click', offer) },
          { seen: happened('interaction_view', handout), clicked: happened('handout_download', handout) },
          { seen: happened('interaction_view', poll), answered: happened('poll_response', poll) },
        ]);
      }),
      { numRuns: runs, seed, endOnFailure: true },
    );
  },
);
