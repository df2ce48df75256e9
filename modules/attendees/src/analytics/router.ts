import { dataOf, router, scopedQuery, toolQuery } from '@service/trpc';
import { SessionInput } from '@service/webinars';
import { z } from 'zod';
import type { RevenueReader } from '../registration/revenue-reader.ts';
import { createKeptResults, readSessionAnalytics, readWebinarAnalytics } from './read-analytics.ts';
import { AnalyticsInput, SessionAnalyticsOutput, WebinarAnalyticsOutput } from './schemas.ts';

const description =
  'Counts what people did: how many registered, attended, completed the video, clicked and bought, how many saw each part of the ' +
  'video, the answers to polls and the sources of the registrations.';

export function createAnalyticsRouter({ readRevenue }: { readRevenue: RevenueReader }) {
  const parts = { readRevenue, kept: createKeptResults() };
  return router({
    webinar: scopedQuery({
      mayBeLate: true,
      scope: 'webinars:read',
      rest: 'GET /webinars/{webinarId}/analytics',
      operationId: 'getWebinarAnalytics',
      summary: 'Get the results of a webinar',
      description: `${description} Over all sessions, and the numbers of each session.`,
      tag: 'Webinars',
    })
      .input(AnalyticsInput.pick({ webinarId: true }))
      .output(dataOf(WebinarAnalyticsOutput))
      .query(async ({ ctx, input: { webinarId } }) => ({
        data: await readWebinarAnalytics({ ...ctx, ...parts }, webinarId),
      })),

    session: scopedQuery({
      mayBeLate: true,
      scope: 'webinars:read',
      rest: 'GET /webinars/{webinarId}/sessions/{sessionId}/analytics',
      operationId: 'getSessionAnalytics',
      summary: 'Get the results of a session',
      description,
      tag: 'Sessions',
    })
      .input(SessionInput)
      .output(dataOf(SessionAnalyticsOutput))
      .query(async ({ ctx, input }) => ({
        data: await readSessionAnalytics({ ...ctx, ...parts }, input),
      })),

    /** Both, for the tool. */
    read: toolQuery({ mayBeLate: true, scope: 'webinars:read' })
      .input(AnalyticsInput)
      .output(dataOf(z.union([WebinarAnalyticsOutput, SessionAnalyticsOutput])))
      .query(async ({ ctx, input: { webinarId, sessionId } }) => {
        const context = { ...ctx, ...parts };
        return {
          data: sessionId
            ? await readSessionAnalytics(context, { webinarId, sessionId })
            : await readWebinarAnalytics(context, webinarId),
        };
      }),
  });
}
