import { DeliveryTrendOutput, type Deliveries } from '@service/deliveries';
import { dataOf, memberQuery, pageOf, router, scopedQuery, toolQuery } from '@service/trpc';
import { z } from 'zod';
import { hideSnippets } from './hide-body.ts';
import { findEndpoints, findEndpointsOfWebinar, listEndpoints, withSources } from './endpoint-owners.ts';
import {
  EndpointOutput,
  HistogramInput,
  HistogramOutput,
  ListDeliveriesInput,
  ListedDeliveryOutput,
  ListEndpointsInput,
  NewestDeliveriesInput,
  NewestDeliveryOutput,
  spanOf,
} from './list-schemas.ts';

/** Deliveries of the workspace, of a webinar, or of one rule or subscription, for the dashboard. */
export const createDeliveriesRouter = (deliveries: Deliveries) =>
  router({
    /**
     * Newest first. Those of deleted webinars are left out, for clients those of archived ones too. So a page may be short and still have
     * a next page, as with filters that match few deliveries.
     */
    list: toolQuery({ scope: 'automations:read' })
      .input(ListDeliveriesInput)
      .output(pageOf(ListedDeliveryOutput))
      .query(async ({ ctx: { reader, principal }, input: { webinarId, sourceId, ...filters } }) => {
        const endpoints = await findEndpoints(reader, { webinarId, sourceId });
        const page = await deliveries.list(reader, { ...endpoints, ...filters });
        return { ...page, data: await withSources(reader, hideSnippets(principal, page.data)) };
      }),

    /** The newest delivery of each rule and subscription of a webinar. Those without deliveries are left out. */
    newest: memberQuery()
      .input(NewestDeliveriesInput)
      .output(dataOf(z.array(NewestDeliveryOutput)))
      .query(async ({ ctx: { reader }, input }) => {
        const sources = await findEndpointsOfWebinar(reader, input.webinarId);
        const newest = await deliveries.newest(reader, [...sources.keys()]);
        const data = [...newest].map(([endpointId, { id, status, createdAt }]) => ({
          sourceId: sources.get(endpointId)!,
          id,
          status,
          createdAt,
        }));
        return { data };
      }),

    /** Counts and durations over time. */
    histogram: memberQuery({ mayBeLate: true })
      .input(HistogramInput)
      .output(dataOf(HistogramOutput))
      .query(async ({ ctx: { reader }, input: { utcOffsetMinutes, ...input } }) => {
        const endpoints = await findEndpoints(reader, input);
        const endpointIds = 'endpointIds' in endpoints ? endpoints.endpointIds : asList(endpoints.endpointId);
        const span = spanOf(input, reader.now);
        return { data: await deliveries.histogram(reader, { ...span, endpointIds, utcOffsetMinutes }) };
      }),

    /** For the first page of a workspace. */
    trend: memberQuery({ mayBeLate: true })
      .output(dataOf(DeliveryTrendOutput))
      .query(async ({ ctx: { reader } }) => ({ data: await deliveries.trend(reader) })),
  });

const asList = (id: string | undefined): string[] | undefined => (id === undefined ? undefined : [id]);

/** The endpoints of the workspace. */
export const createEndpointsRouter = (deliveries: Deliveries) =>
  router({
    list: scopedQuery({
      scope: 'automations:read',
      rest: 'GET /webhook-endpoints',
      tool: 'list_webhook_endpoints',
      summary: 'List the webhook endpoints of the workspace',
      description:
        'The endpoints of all automation rules and webhook subscriptions, newest first: their health, what waits for them, and the ' +
        'results of the last 24 hours. Those of archived webinars are left out, so a page may contain fewer than `limit` and still ' +
        'have a next page.',
      tag: 'Webhooks',
    })
      .input(ListEndpointsInput)
      .output(pageOf(EndpointOutput))
      .query(({ ctx: { reader }, input }) => listEndpoints(reader, deliveries, input)),
  });
