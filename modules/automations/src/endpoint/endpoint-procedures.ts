// Rules and subscriptions own endpoints. Both have the same procedures for the deliveries of their endpoint, below two paths.
import type { Scope } from '@service/catalogue';
import type { AccountReader, AccountWriter } from '@service/database';
import {
  DeliveryDetailOutput,
  DeliveryOutput,
  EndpointHealthOutput,
  RecoveryOutput,
  RecoveryPreviewOutput,
  WaitingOutput,
  type Deliveries,
} from '@service/deliveries';
import {
  dataOf,
  forwards,
  id,
  pageInput,
  pageOf,
  requireScopes,
  scopedMutation,
  scopedQuery,
} from '@service/trpc';
import { findWebinar } from '@service/webinars';
import { z } from 'zod';
import { testEnvelope } from '../event-type/event-catalogue.ts';
import type { EventType } from '../event-type/event-types.ts';
import { hideBody, hideSnippets } from './hide-body.ts';
import {
  deliveryFilters,
  deliveryTexts,
  RedeliveryOutput,
  toRecoveryRequest,
  type QueuedDeliveryOutput,
  type RecoveryInput,
} from './schemas.ts';

/** The input of a list, with the ids of its owner. */
interface ListInput extends z.output<z.ZodObject<typeof deliveryFilters>> {
  eventType?: EventType | undefined;
  webinarId: string;
  ruleId?: string;
  webhookId?: string;
}

/** A rule or a subscription. */
interface Found {
  id: string;
  webinarId: string;
  endpointId: string;
}

/** Rules as owners of endpoints, or subscriptions. */
interface OwnerKind<
  Source extends Found,
  Shape extends z.ZodRawShape,
  Event extends z.ZodType<EventType>,
  Recover extends z.ZodType<RecoveryInput>,
> {
  kind: 'rule' | 'subscription';
  /** In the names of operations and tools, such as `list_automation_deliveries`. */
  noun: 'automation' | 'webhook';
  tag: string;
  path: `/${string}`;
  /** Names an owner. */
  input: z.ZodObject<Shape>;
  /** Its trigger or its event types may have changed, so it may have deliveries of each of these types. */
  eventType: Event;
  recover: Recover;
  find(reader: AccountReader, input: unknown): Promise<Source>;
  lock(tx: AccountWriter, input: unknown): Promise<Source>;
  /** Throws for one that is switched off. */
  requireEnabled(found: Source): void;
  /** The scopes that a client needs to have its deliveries sent. */
  scopesOf(found: Source): readonly Scope[];
  pathOf(found: Found): `/${string}`;
}

type Caller = Parameters<typeof requireScopes>[0];

/** The deliveries of a rule or a subscription, its endpoint and its recoveries. */
export function endpointProcedures<
  Source extends Found,
  Shape extends z.ZodRawShape,
  Event extends z.ZodType<EventType>,
  Recover extends z.ZodType<RecoveryInput>,
>(deliveries: Deliveries, owner: OwnerKind<Source, Shape, Event, Recover>) {
  const { noun, tag, path, input: Owner, recover: Recover } = owner;
  const read = { scope: 'automations:read', tag } as const;
  const write = { scope: 'automations:write', tag } as const;
  const texts = deliveryTexts(owner.kind);
  const OneDelivery = z.strictObject({ ...Owner.shape, deliveryId: id('delivery') });
  const OneRecovery = z.strictObject({ ...Owner.shape, recoveryId: id('recovery') });
  /** Refuses a client that may not have its deliveries sent. */
  const lockToSend = async (ctx: Caller, tx: AccountWriter, input: unknown): Promise<Source> => {
    const found = await owner.lock(tx, input);
    requireScopes(ctx, owner.scopesOf(found));
    return found;
  };
  /** Also refuses one that is switched off. */
  const lockEnabled = async (ctx: Caller, tx: AccountWriter, input: unknown): Promise<Source> => {
    const found = await lockToSend(ctx, tx, input);
    owner.requireEnabled(found);
    return found;
  };
  return {
    listDeliveries: scopedQuery({
      mayBeLate: true,
      ...read,
      ...texts.listDeliveries,
      rest: `GET ${path}/deliveries`,
      tool: `list_${noun}_deliveries`,
    })
      .input(
        forwards(
          z.strictObject({
            ...Owner.shape,
            ...deliveryFilters,
            eventType: owner.eventType.optional().describe('Only deliveries of this event type.'),
          }),
        ),
      )
      .output(pageOf(DeliveryOutput))
      .query(async ({ ctx: { reader, principal }, input }) => {
        const { endpointId } = await owner.find(reader, input);
        const {
          webinarId: _webinarId,
          ruleId: _ruleId,
          webhookId: _webhookId,
          ...filters
        } = input as ListInput;
        const page = await deliveries.list(reader, { endpointId, ...filters });
        return { ...page, data: hideSnippets(principal, page.data) };
      }),

    getDelivery: scopedQuery({
      ...read,
      ...texts.getDelivery,
      rest: `GET ${path}/deliveries/{deliveryId}`,
      tool: `get_${noun}_delivery`,
    })
      .input(OneDelivery)
      .output(dataOf(DeliveryDetailOutput))
      .query(async ({ ctx: { reader, principal }, input }) => {
        const { endpointId } = await owner.find(reader, input);
        const { deliveryId } = input as { deliveryId: string };
        const delivery = await deliveries.get(reader, { deliveryId, endpointIds: [endpointId] });
        return { data: hideBody(principal, delivery) };
      }),

    redeliver: scopedMutation({
      ...write,
      ...texts.redeliver,
      rest: `POST ${path}/deliveries/{deliveryId}/redeliver`,
      tool: `redeliver_${noun}_delivery`,
      status: 202,
    })
      .input(OneDelivery)
      .output(dataOf(RedeliveryOutput))
      .mutation(({ ctx, input }) =>
        ctx.transaction(async (tx) => {
          const found = await lockEnabled(ctx, tx, input);
          const { endpointId } = found;
          const { deliveryId } = input as { deliveryId: string };
          const redelivery = await deliveries.redeliver(tx, { deliveryId, endpointId });
          ctx.reply.location = `${owner.pathOf(found)}/deliveries/${redelivery.id}`;
          return { data: { ...redelivery, status: 'queued' as const } };
        }),
      ),

    probe: scopedMutation({
      ...write,
      ...texts.probe,
      rest: `POST ${path}/probe`,
      tool: `probe_${noun}`,
      status: 202,
    })
      .input(Owner)
      .output(dataOf(EndpointHealthOutput))
      .mutation(({ ctx, input }) =>
        ctx.transaction(async (tx) => {
          const { endpointId } = await lockToSend(ctx, tx, input);
          return { data: await probeEndpoint(tx, deliveries, endpointId) };
        }),
      ),

    getWaiting: scopedQuery({
      ...read,
      ...texts.getWaiting,
      rest: `GET ${path}/waiting`,
      tool: `get_waiting_${noun}_deliveries`,
    })
      .input(Owner)
      .output(dataOf(WaitingOutput))
      .query(async ({ ctx: { reader }, input }) => {
        const { endpointId } = await owner.find(reader, input);
        return { data: await deliveries.waiting(reader, endpointId) };
      }),

    sendWaiting: scopedMutation({
      ...write,
      ...texts.sendWaiting,
      rest: `POST ${path}/waiting/send`,
      tool: `send_waiting_${noun}_deliveries`,
      status: 202,
    })
      .input(Owner)
      .output(dataOf(WaitingOutput))
      .mutation(({ ctx, input }) =>
        ctx.transaction(async (tx) => {
          const found = await lockEnabled(ctx, tx, input);
          ctx.reply.location = `${owner.pathOf(found)}/waiting`;
          return { data: await deliveries.sendWaiting(tx, found.endpointId) };
        }),
      ),

    stopSending: scopedMutation({
      ...write,
      ...texts.stopSending,
      rest: `POST ${path}/waiting/stop`,
      tool: `stop_sending_${noun}_deliveries`,
    })
      .input(Owner)
      .output(dataOf(WaitingOutput))
      .mutation(({ ctx, input }) =>
        ctx.transaction(async (tx) => {
          const { endpointId } = await owner.find(tx, input);
          return { data: await deliveries.stopSending(tx, endpointId) };
        }),
      ),

    previewRecovery: scopedMutation({
      ...read,
      ...texts.previewRecovery,
      rest: `POST ${path}/recoveries/preview`,
      tool: `preview_${noun}_recovery`,
    })
      .input(Recover)
      .output(dataOf(RecoveryPreviewOutput))
      .mutation(({ ctx, input }) =>
        ctx.transaction(async (tx) => {
          const { endpointId } = await owner.find(tx, input);
          const request = toRecoveryRequest(endpointId, input, tx.now);
          return { data: await deliveries.previewRecovery(tx, request) };
        }),
      ),

    createRecovery: scopedMutation({
      ...write,
      ...texts.createRecovery,
      rest: `POST ${path}/recoveries`,
      tool: `create_${noun}_recovery`,
      status: 202,
    })
      .input(Recover)
      .output(dataOf(RecoveryOutput))
      .mutation(({ ctx, input }) =>
        ctx.transaction(async (tx) => {
          const found = await lockEnabled(ctx, tx, input);
          const request = toRecoveryRequest(found.endpointId, input, tx.now);
          const recovery = await deliveries.createRecovery(tx, request);
          ctx.reply.location = `${owner.pathOf(found)}/recoveries/${recovery.id}`;
          return { data: recovery };
        }),
      ),

    listRecoveries: scopedQuery({
      ...read,
      ...texts.listRecoveries,
      rest: `GET ${path}/recoveries`,
      tool: `list_${noun}_recoveries`,
    })
      .input(z.strictObject({ ...Owner.shape, ...pageInput }))
      .output(pageOf(RecoveryOutput))
      .query(async ({ ctx: { reader }, input }) => {
        const { endpointId } = await owner.find(reader, input);
        const { limit, cursor } = input as ListInput;
        return deliveries.listRecoveries(reader, { endpointId, limit, cursor });
      }),

    getRecovery: scopedQuery({
      ...read,
      ...texts.getRecovery,
      rest: `GET ${path}/recoveries/{recoveryId}`,
      tool: `get_${noun}_recovery`,
    })
      .input(OneRecovery)
      .output(dataOf(RecoveryOutput))
      .query(async ({ ctx: { reader }, input }) => {
        const { endpointId } = await owner.find(reader, input);
        const { recoveryId } = input as { recoveryId: string };
        return { data: await deliveries.getRecovery(reader, { endpointId, recoveryId }) };
      }),

    cancelRecovery: scopedMutation({
      ...write,
      ...texts.cancelRecovery,
      rest: `POST ${path}/recoveries/{recoveryId}/cancel`,
      tool: `cancel_${noun}_recovery`,
    })
      .input(OneRecovery)
      .output(dataOf(RecoveryOutput))
      .mutation(({ ctx, input }) =>
        ctx.transaction(async (tx) => {
          const { endpointId } = await owner.find(tx, input);
          const { recoveryId } = input as { recoveryId: string };
          return { data: await deliveries.cancelRecovery(tx, { endpointId, recoveryId }) };
        }),
      ),
  };
}

interface TestInput {
  endpointId: string;
  webinarId: string;
  eventType: EventType;
}

/** Queues the sample of an event type with this webinar and `is_test`. */
export async function sendTest(
  tx: AccountWriter,
  deliveries: Deliveries,
  { endpointId, webinarId, eventType }: TestInput,
): Promise<z.input<typeof QueuedDeliveryOutput>> {
  const { id, title } = await findWebinar(tx, webinarId);
  const envelope = testEnvelope(eventType, { webinar: { id, title }, builtAt: tx.now });
  const draft = { endpointId, eventType, body: JSON.stringify(envelope), isTest: true };
  const [deliveryId] = await deliveries.enqueue(tx, [draft]);
  return { id: deliveryId!, status: 'queued' };
}

/** Probes an endpoint if it is paused. Returns its health. */
export async function probeEndpoint(tx: AccountWriter, deliveries: Deliveries, endpointId: string) {
  await deliveries.probe(tx, endpointId);
  const endpoints = await deliveries.endpoints(tx, [endpointId]);
  return endpoints.get(endpointId)!.health;
}
