import type { Deliveries } from '@service/deliveries';
import { dataOf, pageOf, router, scopedMutation, scopedQuery } from '@service/trpc';
import { z } from 'zod';
import { endpointProcedures, sendTest } from '../endpoint/endpoint-procedures.ts';
import { requireDestination, type CheckUrl } from '../endpoint/require-destination.ts';
import { QueuedDeliveryOutput, recoveryFields, RotatedSecretOutput } from '../endpoint/schemas.ts';
import { automationErrors } from '../errors.ts';
import { subscribableEventType } from '../event-type/event-types.ts';
import {
  CreatedWebhookOutput,
  CreateWebhookInput,
  ListWebhooksInput,
  TestWebhookInput,
  UpdatedWebhookOutput,
  UpdateWebhookInput,
  WebhookInput,
  WebhookOutput,
} from './schemas.ts';
import {
  createSubscription,
  deleteSubscription,
  describeSubscriptions,
  findSubscription,
  listSubscriptions,
  lockActiveSubscription,
  lockSubscription,
  requireActive,
  requireEventType,
  rotateSubscriptionSecret,
  subscriptionPath,
  updateSubscription,
} from './subscriptions.ts';

const tag = 'Webhooks';
const path = '/webinars/{webinarId}/webhooks';

const subscriptionOwner = {
  kind: 'subscription',
  noun: 'webhook',
  tag,
  path: `${path}/{webhookId}`,
  input: WebhookInput,
  eventType: subscribableEventType,
  recover: z
    .strictObject({ ...WebhookInput.shape, ...recoveryFields(subscribableEventType) })
    .meta({ id: 'RecoverWebhookInput' }),
  find: findSubscription,
  lock: lockSubscription,
  requireEnabled: requireActive,
  /** None of its event types carries revenue. */
  scopesOf: () => [],
  pathOf: subscriptionPath,
} as const;

interface WebhooksRouterOptions {
  deliveries: Deliveries;
  checkUrl: CheckUrl;
}

/** Webhook subscriptions and their deliveries. */
export const createWebhooksRouter = ({ deliveries, checkUrl }: WebhooksRouterOptions) =>
  router({
    list: scopedQuery({
      scope: 'automations:read',
      rest: `GET ${path}`,
      tool: 'list_webhooks',
      summary: 'List webhook subscriptions',
      description: 'Lists the subscriptions without their secrets. Automation rules are not included.',
      tag,
    })
      .input(ListWebhooksInput)
      .output(pageOf(WebhookOutput))
      .query(({ ctx: { reader }, input }) => listSubscriptions(reader, deliveries, input)),

    create: scopedMutation({
      scope: 'automations:write',
      rest: `POST ${path}`,
      tool: 'create_webhook',
      summary: 'Subscribe to events',
      description:
        'The response contains the secret that signs the deliveries. It is returned only this once.',
      tag,
      status: 201,
    })
      .input(CreateWebhookInput)
      .output(dataOf(CreatedWebhookOutput))
      .mutation(async ({ ctx, input }) => {
        await requireDestination(checkUrl, { url: input.url, path: 'url' });
        const webhook = await ctx.transaction((tx) => createSubscription(tx, deliveries, input));
        ctx.reply.location = subscriptionPath(webhook);
        return { data: webhook };
      }),

    get: scopedQuery({
      scope: 'automations:read',
      rest: `GET ${path}/{webhookId}`,
      tool: 'get_webhook',
      summary: 'Get a webhook subscription',
      tag,
    })
      .input(WebhookInput)
      .output(dataOf(WebhookOutput))
      .query(async ({ ctx: { reader }, input }) => {
        const subscription = await findSubscription(reader, input);
        const [webhook] = await describeSubscriptions(reader, deliveries, [subscription]);
        if (!webhook) throw automationErrors.webhook_not_found();
        return { data: webhook };
      }),

    update: scopedMutation({
      scope: 'automations:write',
      rest: `PATCH ${path}/{webhookId}`,
      tool: 'update_webhook',
      summary: 'Change a webhook subscription',
      description:
        'Replaces the given fields. A new URL also applies to retries of earlier deliveries. `halted: true` pauses the subscription and ' +
        'keeps what waits; `active: false` cancels it, and the answer says how many deliveries these were.',
      tag,
    })
      .input(UpdateWebhookInput)
      .output(dataOf(UpdatedWebhookOutput))
      .mutation(async ({ ctx, input }) => {
        if (input.url !== undefined) await requireDestination(checkUrl, { url: input.url, path: 'url' });
        const webhook = await ctx.edit({
          record: WebhookOutput,
          async lock(tx) {
            const subscription = await lockSubscription(tx, input);
            return (await describeSubscriptions(tx, deliveries, [subscription]))[0]!;
          },
          change: (tx) => updateSubscription(tx, deliveries, input),
        });
        return { data: webhook };
      }),

    rotateSecret: scopedMutation({
      scope: 'automations:write',
      rest: `POST ${path}/{webhookId}/rotate-secret`,
      tool: 'rotate_webhook_secret',
      summary: 'Replace the secret of a subscription',
      description: 'The new secret signs everything from now on, including retries of earlier deliveries.',
      tag,
    })
      .input(WebhookInput)
      .output(dataOf(RotatedSecretOutput))
      .mutation(async ({ ctx, input }) => ({
        data: await ctx.transaction((tx) => rotateSubscriptionSecret(tx, deliveries, input)),
      })),

    delete: scopedMutation({
      scope: 'automations:write',
      rest: `DELETE ${path}/{webhookId}`,
      tool: 'delete_webhook',
      summary: 'Delete a webhook subscription',
      description: 'Deliveries that are waiting are cancelled.',
      tag,
      status: 204,
    })
      .input(WebhookInput)
      .output(z.void())
      .mutation(({ ctx, input }) => ctx.transaction((tx) => deleteSubscription(tx, deliveries, input))),

    sendTest: scopedMutation({
      scope: 'automations:write',
      rest: `POST ${path}/{webhookId}/test`,
      tool: 'test_webhook',
      summary: 'Send a test to a subscription',
      description: 'Sends a sample of one of its event types, with this webinar and `is_test: true`.',
      tag,
      status: 202,
    })
      .input(TestWebhookInput)
      .output(dataOf(QueuedDeliveryOutput))
      .mutation(({ ctx, input }) =>
        ctx.transaction(async (tx) => {
          const subscription = await lockActiveSubscription(tx, input);
          const { eventType } = input;
          await requireEventType(tx, subscription, eventType);
          const { endpointId, webinarId } = subscription;
          const queued = await sendTest(tx, deliveries, { endpointId, webinarId, eventType });
          ctx.reply.location = `${subscriptionPath(subscription)}/deliveries/${queued.id}`;
          return { data: queued };
        }),
      ),

    ...endpointProcedures(deliveries, subscriptionOwner),
  });
