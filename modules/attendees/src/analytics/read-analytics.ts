// Results of a webinar and of a session. Formulas: attendance and no-shows are divided by registrations; completion, engagement,
// clicks and purchases by those who attended; responses to an interaction by those who saw it.
import type { AccountReader } from '@service/database';
import type { Principal } from '@service/trpc';
import {
  findWebinar,
  loadSessions,
  outlineInteractions,
  type SessionInput,
  type Webinar,
} from '@service/webinars';
import { LRUCache } from 'lru-cache';
import type { z } from 'zod';
import { readRevenueFor, mayReadRevenue, type RevenueReader } from '../registration/revenue-reader.ts';
import { findSession } from '../response/chat.ts';
import {
  addCounts,
  type CountOptions,
  countPeopleOf,
  type Counts,
  noCounts,
  pageRows,
  type People,
} from './count-people.ts';
import { type CurveSteps, findDropOffs, stepsOf } from './curve.ts';
import type { SessionAnalyticsOutput, WebinarAnalyticsOutput } from './schemas.ts';

const sourcesMax = 20;
const sessionsMax = 50;

export interface AnalyticsContext {
  reader: AccountReader;
  principal: Principal;
  readRevenue: RevenueReader;
  kept: KeptResults;
}

/** The results of large webinars and sessions, and those that are counted now. */
export interface KeptResults {
  counted: LRUCache<string, Results>;
  running: Map<string, Promise<Results>>;
}

type Results = Awaited<ReturnType<typeof countResults>>;

const keptMs = 60_000;

/** Characters of all kept results as JSON. Those of a webinar with 50 sessions have about 30,000. */
const keptCharactersMax = 5_000_000;

export const createKeptResults = (): KeptResults => ({
  counted: new LRUCache({
    ttl: keptMs,
    maxSize: keptCharactersMax,
    sizeCalculation: (results) => JSON.stringify(results).length,
  }),
  running: new Map(),
});

/** The results of all sessions of a webinar. Throws webinar_not_found. */
export async function readWebinarAnalytics(
  context: AnalyticsContext,
  webinarId: string,
): Promise<z.input<typeof WebinarAnalyticsOutput>> {
  const webinar = await findWebinar(context.reader, webinarId);
  const { results, sessions, hasMoreSessions } = await readResults(context, webinar, {
    of: 'webinar',
    id: webinar.id,
  });
  return { webinarId: webinar.id, ...results, sessions, hasMoreSessions };
}

/** The results of one session. Throws webinar_not_found, session_not_found. */
export async function readSessionAnalytics(
  context: AnalyticsContext,
  place: z.output<typeof SessionInput>,
): Promise<z.input<typeof SessionAnalyticsOutput>> {
  const { id: sessionId, webinarId } = await findSession(context.reader, place);
  const webinar = await findWebinar(context.reader, webinarId);
  const { results } = await readResults(context, webinar, { of: 'session', id: sessionId });
  return { sessionId, ...results };
}

/** Counting 100,000 registrations takes seconds, so calls at one time share a count, and that of a large webinar is kept for a minute. */
async function readResults(context: AnalyticsContext, webinar: Webinar, where: Place): Promise<Results> {
  const { counted, running } = context.kept;
  const curve = stepsOf(webinar.kind === 'adaptive' ? 0 : webinar.durationSeconds);
  const hasRevenue = mayReadRevenue(context.principal);
  const key = [context.reader.accountId, where.id, curve.stepSeconds, curve.count, hasRevenue].join(' ');
  // The call that counts may end early, so another one counts again after its error.
  const known = counted.get(key) ?? (await running.get(key)?.catch(() => undefined));
  if (known) return known;
  const counting = countResults(context, webinar, { ...where, curve });
  running.set(key, counting);
  try {
    const results = await counting;
    if (results.results.countedRegistrations > pageRows) counted.set(key, results);
    return results;
  } finally {
    if (running.get(key) === counting) running.delete(key);
  }
}

type Place = Pick<CountOptions, 'of' | 'id'>;

async function countResults(
  { reader, principal, readRevenue }: AnalyticsContext,
  { id: webinarId, kind }: Webinar,
  where: Place & Pick<CountOptions, 'curve'>,
) {
  const people = await countPeopleOf(reader, {
    ...where,
    readRevenue: mayReadRevenue(principal)
      ? (ids) => readRevenueFor(principal, readRevenue)(reader, ids)
      : undefined,
  });
  const counts = noCounts();
  for (const ofSession of people.bySession.values()) addCounts(counts, ofSession);
  return {
    results: {
      countedAt: reader.now.toISOString(),
      countedRegistrations: people.counted,
      isComplete: people.isComplete,
      ...countsToOutput(counts),
      curve: kind === 'adaptive' ? null : curveToOutput(people, where.curve),
      interactions: await interactionsToOutput(reader, webinarId, people),
      ...sourcesToOutput(people),
      revenue: people.revenue ? revenueToOutput(people.revenue, counts) : null,
    },
    sessions: where.of === 'webinar' ? await sessionsToOutput(reader, people) : [],
    hasMoreSessions: people.bySession.size > sessionsMax,
  };
}

async function sessionsToOutput({ query, accountId }: AccountReader, { bySession }: People) {
  const shown = [...bySession]
    .toSorted(([, one], [, other]) => other.registered - one.registered)
    .slice(0, sessionsMax);
  const sessions = await loadSessions(
    query,
    shown.map(([id]) => ({ accountId, id })),
  );
  return shown
    .map(([sessionId, counts]) => ({
      sessionId,
      startsAt: sessions.get(sessionId)!.startsAt.toISOString(),
      ...countsToOutput(counts),
    }))
    .toSorted((one, other) => (one.startsAt < other.startsAt ? 1 : -1));
}

function countsToOutput({ attendedBuyers: _buyers, watchedSeconds, watchedPercent, ...counts }: Counts) {
  const { registered, attended } = counts;
  return {
    ...counts,
    attendancePercent: percentOf(attended, registered),
    noShowPercent: percentOf(counts.noShow, registered),
    completionPercent: percentOf(counts.completed, attended),
    engagementPercent: percentOf(counts.engaged, attended),
    clickPercent: percentOf(counts.clicked, attended),
    averageWatchedSeconds: attended === 0 ? null : Math.round(watchedSeconds / attended),
    averageWatchedPercent: percentOf(watchedPercent / 100, attended),
  };
}

const curveToOutput = ({ viewers }: People, { stepSeconds }: CurveSteps) => ({
  stepSeconds,
  viewers,
  dropOffs: findDropOffs(viewers, stepSeconds),
});

async function interactionsToOutput(reader: AccountReader, webinarId: string, { byInteraction }: People) {
  const interactions = await outlineInteractions(reader, webinarId);
  return interactions.map(({ options, ...interaction }) => {
    const { seen = 0, clicked = 0, answered = 0, answers } = byInteraction.get(interaction.id) ?? {};
    return {
      ...interaction,
      seen,
      clicked,
      answered,
      responsePercent: percentOf(interaction.type === 'poll' ? answered : clicked, seen),
      options: options.map(({ id, label }) => ({ id, label, count: answers?.get(id) ?? 0 })),
    };
  });
}

function sourcesToOutput({ bySource }: People) {
  const sources = [...bySource]
    .map(([source, counts]) => ({ source, ...counts }))
    .toSorted((one, other) => other.registered - one.registered);
  return { sources: sources.slice(0, sourcesMax), hasMoreSources: sources.length > sourcesMax };
}

const revenueToOutput = ({ buyers, sums }: NonNullable<People['revenue']>, counts: Counts) => ({
  buyers,
  conversionPercent: percentOf(counts.attendedBuyers, counts.attended),
  sums: [...sums]
    .map(([currency, netMinor]) => ({
      currency,
      netMinor,
      perRegistrantMinor: share(netMinor, counts.registered),
      perAttendeeMinor: share(netMinor, counts.attended),
    }))
    .toSorted((one, other) => (one.currency < other.currency ? -1 : 1)),
});

const share = (sum: number, people: number): number | null =>
  people === 0 ? null : Math.round(sum / people);

/** With one decimal place. A part can be larger than the whole: a player reports a view only where it can. */
const percentOf = (part: number, whole: number): number | null =>
  whole === 0 ? null : Math.round((part / whole) * 1000) / 10;
