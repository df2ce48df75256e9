import {
  DeliveryDetailOutput,
  DeliveryOutput,
  EndpointHealthOutput,
  type Deliveries,
} from '@service/deliveries';
import { dataOf, id, pageOf, scopedMutation, scopedQuery } from '@service/trpc';
import { z } from 'zod';
import { DeliveryFilters, deliveryFilters, RedeliveryOutput } from './schemas.ts';
import type { SourceKind } from './source.ts';

/** What a rule or a subscription sent, and how its endpoint fares. */
export function deliveryProcedures<Shape extends z.ZodRawShape, EventType extends z.ZodType<string>>(
  deliveries: Deliveries,
  kind: SourceKind<Shape, EventType>,
) {
  const { noun, title, tag, key } = kind;
  const path = `${kind.path}/deliveries` as const;
  const keyOf = (input: unknown) => z.object(key.shape).parse(input);
  const one = z.strictObject({ ...key.shape, deliveryId: id('delivery') });

  return {
    listDeliveries: scopedQuery({
      scope: 'automations:read',
      rest: `GET ${path}`,
      tool: `list_${noun}_deliveries`,
      summary: `List the deliveries of a ${title}`,
      description:
        'Newest first. With filters that few deliveries match, a page may hold fewer than `limit` and still have a next one.',
      tag,
    })
      .input(z.strictObject({ ...key.shape, ...deliveryFilters, eventType: kind.eventType.optional() }))
      .output(pageOf(DeliveryOutput))
      .query(async ({ ctx: { reader }, input }) => {
        const { endpointId } = await kind.find(reader, keyOf(input));
        return deliveries.list(reader, { endpointId, ...DeliveryFilters.parse(input) });
      }),

    getDelivery: scopedQuery({
      scope: 'automations:read',
      rest: `GET ${path}/{deliveryId}`,
      tool: `get_${noun}_delivery`,
      summary: `Get a delivery of a ${title}`,
      description: 'With the exact body and every attempt.',
      tag,
    })
      .input(one)
      .output(dataOf(DeliveryDetailOutput))
      .query(async ({ ctx: { reader }, input }) => {
        const { endpointId } = await kind.find(reader, keyOf(input));
        const { deliveryId } = DeliveryKey.parse(input);
        return { data: await deliveries.get(reader, { deliveryId, endpointIds: [endpointId] }) };
      }),

    redeliver: scopedMutation({
      scope: 'automations:write',
      rest: `POST ${path}/{deliveryId}/redeliver`,
      tool: `redeliver_${noun}_delivery`,
      summary: `Send a delivery of a ${title} again`,
      description:
        'Any finished delivery, whatever became of it. A new delivery is queued whose body is the same but for a new ' +
        '`timestamp` and `is_refire: true`.',
      tag,
      status: 202,
    })
      .input(one)
      .output(dataOf(RedeliveryOutput))
      .mutation(async ({ ctx, input }) => {
        const { deliveryId } = DeliveryKey.parse(input);
        const { source, redelivery } = await ctx.transaction(async (tx) => {
          const source = await kind.hold(tx, keyOf(input));
          if (!source.isOn) throw kind.offError();
          const { endpointId } = source;
          return { source, redelivery: await deliveries.redeliver(tx, { deliveryId, endpointId }) };
        });
        ctx.reply.location = `${source.path}/deliveries/${redelivery.id}`;
        return { data: { ...redelivery, status: 'queued' as const } };
      }),

    probe: scopedMutation({
      scope: 'automations:write',
      rest: `POST ${kind.path}/probe`,
      tool: `probe_${noun}`,
      summary: `Try the endpoint of a ${title} now`,
      description:
        'A paused endpoint is tried at once, with one of the deliveries that it holds, instead of at `nextProbeAt`. Does ' +
        'nothing for one that is not paused.',
      tag,
      status: 202,
    })
      .input(key)
      .output(dataOf(EndpointHealthOutput))
      .mutation(({ ctx, input }) =>
        ctx.transaction(async (tx) => {
          const { endpointId } = await kind.hold(tx, keyOf(input));
          await deliveries.probe(tx, endpointId);
          const endpoints = await deliveries.endpoints(tx, [endpointId]);
          return { data: endpoints.get(endpointId)!.health };
        }),
      ),
  };
}

const DeliveryKey = z.object({ deliveryId: z.string() });
