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
import { addCounts, countPeopleOf, type Counts, noCounts, pageRows, type People } from './count-people.ts';
import { type CurveSteps, findDropOffs, stepsOf } from './curve.ts';
import type { SessionAnalyticsOutput, WebinarAnalyticsOutput } from './schemas.ts';

const sourcesMax = 20;
const sessionsMax = 50;

export interface AnalyticsContext {
  reader: AccountReader;
  principal: Principal;
  readRevenue: RevenueReader;
  kept: KeptCounts;
}

interface Counted {
  at: Date;
  people: People;
}

/** The counts of large webinars and sessions. */
export type KeptCounts = LRUCache<string, Counted>;

const keptMs = 60_000;
const keptMax = 100;

export const createKeptCounts = (): KeptCounts => new LRUCache({ max: keptMax, ttl: keptMs });

/** The results of all sessions of a webinar. Throws webinar_not_found. */
export async function readWebinarAnalytics(
  context: AnalyticsContext,
  webinarId: string,
): Promise<z.input<typeof WebinarAnalyticsOutput>> {
  const webinar = await findWebinar(context.reader, webinarId);
  const { people, results } = await readResults(context, webinar, { of: 'webinar', id: webinar.id });
  const shown = [...people.bySession]
    .toSorted(([, one], [, other]) => other.registered - one.registered)
    .slice(0, sessionsMax);
  const { query, accountId } = context.reader;
  const sessions = await loadSessions(
    query,
    shown.map(([id]) => ({ accountId, id })),
  );
  return {
    webinarId: webinar.id,
    ...results,
    sessions: shown
      .map(([sessionId, counts]) => ({
        sessionId,
        startsAt: sessions.get(sessionId)!.startsAt.toISOString(),
        ...countsToOutput(counts),
      }))
      .toSorted((one, other) => (one.startsAt < other.startsAt ? 1 : -1)),
    hasMoreSessions: people.bySession.size > sessionsMax,
  };
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

async function readResults(
  { reader, principal, readRevenue, kept }: AnalyticsContext,
  { id: webinarId, kind, durationSeconds }: Webinar,
  where: { of: 'webinar' | 'session'; id: string },
) {
  const curve = stepsOf(kind === 'adaptive' ? 0 : durationSeconds);
  const revenueOf = mayReadRevenue(principal)
    ? (ids: readonly string[]) => readRevenueFor(principal, readRevenue)(reader, ids)
    : undefined;
  // Counting 100,000 registrations takes seconds, so a page that is opened again and again does it once a minute.
  const key = [reader.accountId, where.id, curve.stepSeconds, curve.count, revenueOf !== undefined].join(' ');
  const { at, people } = kept.get(key) ?? {
    at: reader.now,
    people: await countPeopleOf(reader, { ...where, curve, readRevenue: revenueOf }),
  };
  if (people.counted > pageRows && !kept.has(key)) kept.set(key, { at, people });
  const counts = noCounts();
  for (const ofSession of people.bySession.values()) addCounts(counts, ofSession);
  const results = {
    countedAt: at.toISOString(),
    countedRegistrations: people.counted,
    isComplete: people.isComplete,
    ...countsToOutput(counts),
    curve: kind === 'adaptive' ? null : curveToOutput(people, curve),
    interactions: await interactionsToOutput(reader, webinarId, people),
    ...sourcesToOutput(people),
    revenue: people.revenue ? revenueToOutput(people.revenue, counts) : null,
  };
  return { people, results };
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
