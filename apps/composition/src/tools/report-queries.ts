import { resolveTimes } from '@service/revenue';
import { dataOf, dayOrMoment, id, instant, mayRead, pageInput, toolQuery } from '@service/trpc';
import { sumMinor } from '@service/trpc/fields';
import { z } from 'zod';
import type { CallModules, Modules } from '../modules.ts';

const dayMs = 86_400_000;

/** Sessions in one report. */
const sessionsMax = 20;

/** Interactions in one report. */
const interactionsMax = 20;

const ReportInput = z.strictObject({
  webinarId: id('webinar'),
  from: dayOrMoment.optional().describe('Only sessions from this day or time on. Default: 30 days ago.'),
  to: dayOrMoment.optional().describe('Only sessions up to this day, or before this time. Default: now.'),
});

/** The longest time range of one summary of revenue, in days of the workspace. Some have 25 hours. */
const summaryDaysMax = 400;

const count = () => z.number().int();

const ReportSession = z.object({
  id: z.uuid(),
  startsAt: instant(),
  status: z.string(),
  registrations: count(),
  attended: count(),
  noShow: count(),
  cancelled: count(),
});

const WebinarReport = z.object({
  webinar: z.object({ id: z.uuid(), title: z.string() }),
  from: instant(),
  to: instant(),
  sessions: z.array(ReportSession),
  /** There are more sessions in this time than `sessions`. The totals are about `sessions`. */
  moreSessions: z.boolean(),
  totals: z.object({
    registrations: count(),
    attended: count(),
    noShow: count(),
    /** Of those who attended or did not show up. Null before there are any. */
    attendancePercent: count().nullable(),
  }),
  /** The revenue that is credited to the webinar since `from`. Null for a key without `revenue:read`. */
  revenue: z.array(z.object({ currency: z.string(), netMinor: sumMinor(), purchases: count() })).nullable(),
  interactions: z.array(
    z.object({
      id: z.uuid(),
      type: z.string(),
      headline: z.string(),
      views: count(),
      clicks: count(),
      clickers: count(),
      answers: count(),
    }),
  ),
});

const TimelineInput = z.strictObject({
  webinarId: id('webinar'),
  registrationId: id('registration'),
  ...pageInput,
});

export const createReportQueries = (callModules: CallModules) => ({
  webinarReport: toolQuery({
    mayBeLate: true,
    scope: 'webinars:read',
    alsoScopes: ['sessions:read', 'registrations:read', 'interactions:read'],
  })
    .input(ReportInput)
    .output(dataOf(WebinarReport))
    .query(async ({ ctx, input: { webinarId, ...input } }) => {
      const modules = callModules(ctx);
      const times = await resolveTimes(
        input,
        async () => (await modules.accounts.me()).data.account.timeZone,
      );
      const from = times.from ?? new Date(ctx.now.getTime() - 30 * dayMs).toISOString();
      const to = times.to ?? ctx.now.toISOString();
      const { data: webinar } = await modules.webinars.get({ webinarId });
      const [{ data: sessions, pagination }, interactions, revenue] = await Promise.all([
        modules.sessions.list({ webinarId, from, to, limit: sessionsMax }),
        countInteractions(modules, webinarId),
        mayRead(ctx.principal, 'revenue:read')
          ? sumRevenue(modules, { webinarId, from, createdAt: webinar.createdAt, now: ctx.now })
          : null,
      ]);
      const rows = await countSessions(modules, webinarId, sessions);
      const total = (field: 'registrations' | 'attended' | 'noShow'): number =>
        rows.reduce((sum, row) => sum + row[field], 0);
      const [attended, noShow] = [total('attended'), total('noShow')];
      return {
        data: {
          webinar: { id: webinar.id, title: webinar.title },
          from: new Date(from).toISOString(),
          to: new Date(to).toISOString(),
          sessions: rows,
          moreSessions: pagination.hasMore,
          totals: {
            registrations: total('registrations'),
            attended,
            noShow,
            attendancePercent:
              attended + noShow === 0 ? null : Math.round((100 * attended) / (attended + noShow)),
          },
          revenue,
          interactions,
        },
      };
    }),

  registrationTimeline: toolQuery({ mayBeLate: true, scope: 'registrations:read' })
    .input(TimelineInput)
    .output(z.looseObject({}))
    .query(async ({ ctx, input: { webinarId, registrationId, limit, cursor } }) => {
      const modules = callModules(ctx);
      const place = { webinarId, registrationId };
      const { data: registration } = await modules.registrations.get(place);
      return { registration, ...(await modules.registrations.events({ ...place, limit, cursor })) };
    }),
});

async function countSessions(
  modules: Modules,
  webinarId: string,
  sessions: readonly { id: string; startsAt: string; status: string }[],
): Promise<z.input<typeof ReportSession>[]> {
  if (sessions.length === 0) return [];
  const sessionIds = sessions.map((session) => session.id);
  const { data: counts } = await modules.registrations.sessionCounts({ webinarId, sessionIds });
  const countsById = new Map(counts.map((counted) => [counted.sessionId, counted]));
  return sessions.map(({ id: sessionId, startsAt, status }) => {
    const { registered, attending, attended, noShow, cancelled } = countsById.get(sessionId)!;
    return {
      id: sessionId,
      startsAt,
      status,
      registrations: registered + attending + attended + noShow,
      attended: attending + attended,
      noShow,
      cancelled,
    };
  });
}

/**
 * The sums since `from`. Purchases may come after the last session, so the sums end a day after now, which is the latest time of an
 * event. A webinar has no revenue before it was created, so its age limits the number of summaries.
 */
async function sumRevenue(
  modules: Modules,
  { webinarId, from, createdAt, now }: { webinarId: string; from: string; createdAt: string; now: Date },
) {
  const end = now.getTime() + dayMs;
  const sums = new Map<string, { currency: string; netMinor: number; purchases: number }>();
  let start = Math.max(Date.parse(from), Date.parse(createdAt));
  while (start < end) {
    const next = Math.min(start + (summaryDaysMax - 1) * dayMs, end);
    const range = { from: new Date(start).toISOString(), to: new Date(next).toISOString() };
    const { data } = await modules.revenue.summary({ webinarId, ...range, by: 'webinar' });
    for (const { currency, netMinor, purchases } of data.totals) {
      const before = sums.get(currency) ?? { netMinor: 0, purchases: 0 };
      sums.set(currency, {
        currency,
        netMinor: before.netMinor + netMinor,
        purchases: before.purchases + purchases,
      });
    }
    start = next;
  }
  return [...sums.values()];
}

/** The newest interactions with their responses. */
async function countInteractions(modules: Modules, webinarId: string) {
  const [{ data: interactions }, { data: counts }] = await Promise.all([
    modules.interactions.list({ webinarId, limit: interactionsMax }),
    modules.responses.counts({ webinarId }),
  ]);
  const countsById = new Map(counts.map((counted) => [counted.interactionId, counted]));
  return interactions.map(({ id: interactionId, type, headline }) => {
    const { views = 0, clicks = 0, clickers = 0, answers = 0 } = countsById.get(interactionId) ?? {};
    return { id: interactionId, type, headline, views, clicks, clickers, answers };
  });
}
