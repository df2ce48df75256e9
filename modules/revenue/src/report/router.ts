import { dataOf, id, memberQuery, ownerMutation, pageOf, router, scopedQuery, text } from '@service/trpc';
import { z } from 'zod';
import { decideCredit } from '../attribution/credit-decision.ts';
import { findNearMatches, NearMatchOutput } from '../attribution/near-matches.ts';
import type { TimeZoneReader } from './days.ts';
import { getEvent } from './get-event.ts';
import {
  ListRevenueEventsInput,
  RevenueEventDetail,
  RevenueEventInput,
  RevenueEventOutput,
} from './schemas.ts';
import { listEvents } from './search-events.ts';
import { readRevenueTrend, summarize } from './summarize.ts';
import { RevenueSummary, RevenueSummaryInput, RevenueTrend } from './summary-schemas.ts';

const scope = 'revenue:read';
const tag = 'Revenue';

/** Lists, sums and single events of the ledger. */
export const createRevenueRouter = ({ readTimeZone }: { readTimeZone: TimeZoneReader }) =>
  router({
    list: scopedQuery({
      scope,
      rest: 'GET /revenue/events',
      tool: 'list_revenue_events',
      summary: 'List revenue events',
      description:
        'The latest first, by `occurredAt`. With several filters a page can have fewer than `limit` items, or none, and still have a next page: ' +
        'each page searches a limited number of events.',
      tag,
    })
      .input(ListRevenueEventsInput)
      .output(pageOf(RevenueEventOutput))
      .query(({ ctx: { reader }, input }) => listEvents(reader, input, readTimeZone)),

    get: scopedQuery({
      scope,
      rest: 'GET /revenue/events/{revenueEventId}',
      tool: 'get_revenue_event',
      summary: 'Get a revenue event',
      description: 'With the explanation of its credit, its payment, and what the attendee did before.',
      tag,
    })
      .input(RevenueEventInput)
      .output(dataOf(RevenueEventDetail))
      .query(async ({ ctx: { reader }, input }) => ({ data: await getEvent(reader, input.revenueEventId) })),

    /** People with the address of the buyer of an event, or nearly this address. Empty for an event without an address. */
    nearMatches: memberQuery()
      .input(RevenueEventInput)
      .output(dataOf(z.array(NearMatchOutput)))
      .query(async ({ ctx: { reader }, input }) => {
        const { email } = await getEvent(reader, input.revenueEventId);
        return { data: email === null ? [] : await findNearMatches(reader, email) };
      }),

    /** Credits the payment of an event to a registration by hand, or takes its credit away. */
    decideCredit: ownerMutation()
      .input(
        RevenueEventInput.extend({
          /** Null takes the credit away. */
          registrationId: id('registration').nullable(),
          why: text(300),
        }),
      )
      .output(dataOf(RevenueEventDetail))
      .mutation(({ ctx, input }) =>
        ctx.transaction(async (tx) => {
          await decideCredit(tx, { ...input, by: ctx.principal });
          return { data: await getEvent(tx, input.revenueEventId) };
        }),
      ),

    /** Has the rule credit the payment of an event again. */
    endDecision: ownerMutation()
      .input(RevenueEventInput)
      .output(dataOf(RevenueEventDetail))
      .mutation(({ ctx, input }) =>
        ctx.transaction(async (tx) => {
          await decideCredit(tx, { ...input, registrationId: undefined, why: '', by: ctx.principal });
          return { data: await getEvent(tx, input.revenueEventId) };
        }),
      ),

    summary: scopedQuery({
      mayBeLate: true,
      scope,
      rest: 'GET /revenue/summary',
      tool: 'get_revenue_summary',
      summary: 'Get sums of revenue',
      description:
        'Gross, refunds, chargebacks and net of a time range, in total and in groups. The sums are those of the events of the list in the same time range.',
      tag,
    })
      .input(RevenueSummaryInput)
      .output(dataOf(RevenueSummary))
      .query(async ({ ctx: { reader }, input }) => ({
        data: await summarize(reader, input, await readTimeZone(reader)),
      })),

    /** For the first page of a workspace. */
    trend: memberQuery({ mayBeLate: true })
      .output(dataOf(RevenueTrend))
      .query(async ({ ctx: { reader } }) => ({ data: await readRevenueTrend(reader) })),
  });
