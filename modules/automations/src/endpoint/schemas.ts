// Inputs, outputs and descriptions that the procedures of rules and of subscriptions share.
import {
  CancelledDeliveriesOutput,
  recoverableStatus,
  statusFilter,
  type RecoveryRequest,
} from '@service/deliveries';
import { commonErrors, type Issue } from '@service/errors';
import { id, instant, moment, pageInput } from '@service/trpc';
import { z } from 'zod';

/** The filters of a list of deliveries, without the event type. */
export const deliveryFilters = {
  status: statusFilter.optional(),
  registrationId: id('registration')
    .optional()
    .describe('Only deliveries about this registration. Tests are about none.'),
  responseCode: z
    .string()
    .regex(/^(?:[1-5]\d\d|[1-5]xx|none)$/, 'A status code, a class such as 5xx, or none.')
    .optional()
    .describe(
      'The answer to the last attempt: a status code such as `503`, a class such as `5xx`, or `none` for an attempt without an ' +
        'answer.',
    )
    .meta({ examples: ['5xx'] }),
  from: moment.optional().describe('Only deliveries created at this time or later.'),
  to: moment.optional().describe('Only deliveries created before this time.'),
  ...pageInput,
};

const RecoveryFields = z.object({
  from: moment
    .optional()
    .describe('Deliveries created at this time or later. Required, or `since`.')
    .meta({ examples: ['2026-11-20T09:00:00Z'] }),
  to: moment.optional().describe('Deliveries created before this time. Default, and latest possible: now.'),
  since: moment.optional().describe('Another name of `from`.'),
  until: moment.optional().describe('Another name of `to`.'),
  statuses: z
    .array(recoverableStatus)
    .min(1)
    .max(10)
    .default(['failure'])
    .describe('The final statuses of the deliveries.'),
});

/** The request of a recovery for a source that sends these event types. */
export const recoveryFields = <EventType extends string>(eventType: z.ZodType<EventType>) => ({
  ...RecoveryFields.shape,
  eventTypes: z.array(eventType).min(1).max(100).optional().describe('Only these event types. Default: all.'),
});

export type RecoveryInput = z.output<typeof RecoveryFields> & { eventTypes?: readonly string[] | undefined };

/** Throws validation_failed without a beginning, for different values of both names, and if it does not begin before its end. */
export function toRecoveryRequest(endpointId: string, input: RecoveryInput, now: Date): RecoveryRequest {
  const { statuses, eventTypes } = input;
  const since = eitherOf(input, 'from', 'since');
  const until = eitherOf(input, 'to', 'until');
  if (since === undefined) refuse({ path: 'from', message: 'Give the time from which deliveries are sent.' });
  if (since >= (until ?? now)) {
    const path = input.from === undefined ? 'since' : 'from';
    refuse({ path, message: `Must be before ${path === 'from' ? 'to' : 'until'}.` });
  }
  return { endpointId, since, until, statuses, eventTypes };
}

/** The value of a field with two names. */
function eitherOf(input: RecoveryInput, name: 'from' | 'to', otherName: 'since' | 'until'): Date | undefined {
  const [value, other] = [input[name], input[otherName]];
  if (value !== undefined && other !== undefined && Date.parse(value) !== Date.parse(other))
    refuse({ path: otherName, message: `Differs from ${name}. Give one of them.` });
  const given = value ?? other;
  return given === undefined ? undefined : new Date(given);
}

function refuse(issue: Issue): never {
  throw commonErrors.validation_failed({ issues: [issue] });
}

/** A field of a source that is changed: deliveries wait while it is true. */
export const haltedInput = z
  .boolean()
  .optional()
  .describe(
    'True pauses it: deliveries wait, and only tests are sent. False sends what waits, in growing steps.',
  );

export const halted = z
  .boolean()
  .describe('True while it is paused by `halted: true`: deliveries wait until it is resumed.');

/** A field of the answer to a change. */
export const cancelledDeliveries = CancelledDeliveriesOutput.nullable().describe(
  'The waiting deliveries that this call has cancelled. Null unless it switched off. To send them, switch on and start a recovery with ' +
    '`statuses: ["cancelled"]` and `from` as `oldestCreatedAt`.',
);

const recovered =
  'Selects the deliveries of that time that ended with one of `statuses`, without tests. Several deliveries of one message ' +
  'count once. A message that has been delivered since, or is waiting to be sent, is left out.';

const sendsRevenue = {
  rule: ' For a rule about revenue a key also needs the scope `revenue:read`.',
  subscription: '',
};

/** Summaries and descriptions of the procedures for deliveries. */
export const deliveryTexts = (source: 'rule' | 'subscription') => ({
  listDeliveries: {
    summary: `List the deliveries of a ${source}`,
    description:
      'Newest first. With filters that match few deliveries, a page may contain fewer than `limit` and still have a next page.',
  },
  getDelivery: {
    summary: `Get a delivery of a ${source}`,
    description:
      'Includes the exact body and every attempt. The body needs the scope `registrations:read` as well, and `revenue:read` if it is ' +
      'about a purchase or a refund.',
  },
  redeliver: {
    summary: `Send a delivery of a ${source} again`,
    description:
      'Works for every delivery that is not being sent at this moment. Queues a new delivery with the same body, except for a ' +
      'new `timestamp` and `is_refire: true`. A delivery that waits, for a retry or for a paused endpoint, ends as `cancelled`, ' +
      'and its `replacedBy` is the new one; from then on only the new one can be sent again. While the endpoint is paused, the ' +
      `new delivery waits as well, until a probe succeeds.${sendsRevenue[source]}`,
  },
  getWaiting: {
    summary: `Get what waits for the endpoint of a ${source}`,
    description: 'Counts the waiting deliveries and shows the progress of the last run that sent them.',
  },
  sendWaiting: {
    summary: `Send all waiting deliveries of a ${source} now`,
    description:
      'Has everything that waits, for a retry or for a paused endpoint, sent now instead of at its own time. The deliveries stay ' +
      'the same: no new ones are made, and no tries are added. They are sent oldest first, in growing steps; after five ' +
      'failures in a row the endpoint is paused, and the others wait until a probe succeeds. A paused endpoint is probed at ' +
      'once. While a run is going on, another call starts no second one. The run ends by itself, or when it is stopped. For a ' +
      `halted endpoint it is refused (\`endpoint_halted\`).${sendsRevenue[source]}`,
  },
  stopSending: {
    summary: `Stop sending the waiting deliveries of a ${source}`,
    description:
      'Deliveries that were released before are still sent. The other deliveries wait for the time of their own next try again. Those whose ' +
      'time has come meanwhile are sent at the limited rate. Has no effect when no run is going on.',
  },
  probe: {
    summary: `Probe the endpoint of a ${source} now`,
    description:
      'Sends one of the waiting deliveries to a paused endpoint at once instead of at `nextProbeAt`. Has no effect on an ' +
      `endpoint that is not paused.${sendsRevenue[source]}`,
  },
  previewRecovery: {
    summary: `Preview a recovery of a ${source}`,
    description: `Counts without queuing anything. ${recovered} \`waiting\` says what still waits, for a retry or for a paused endpoint.`,
  },
  createRecovery: {
    summary: `Start a recovery of a ${source}`,
    description:
      `${recovered} Runs in the background at a limited rate, so that new deliveries are not delayed. Only one can run at a ` +
      `time. Switching off the ${source} cancels it.${sendsRevenue[source]}`,
  },
  listRecoveries: {
    summary: `List the recoveries of a ${source}`,
    description: 'Newest first. Recoveries are kept for 90 days.',
  },
  getRecovery: { summary: `Get a recovery of a ${source}`, description: 'Includes its progress.' },
  cancelRecovery: {
    summary: `Stop a recovery of a ${source}`,
    description: 'Deliveries that it has already queued are still sent.',
  },
});

/** The answer to a rotation. */
export const RotatedSecretOutput = z
  .object({
    id: id('rule or subscription'),
    secret: z
      .string()
      .describe('The secret that signs all deliveries from now on. It is returned only this once.'),
    secretLast4: z.string().describe('The last four characters of the secret.'),
    secretRotatedAt: instant(),
  })
  .meta({ id: 'RotatedSecret' });

export const QueuedDeliveryOutput = z
  .object({
    id: z.uuid().describe('The id of the new delivery.'),
    status: z.literal('queued').describe('It is sent by a worker.'),
  })
  .meta({ id: 'QueuedDelivery' });

export const RedeliveryOutput = QueuedDeliveryOutput.extend({
  redeliveryOf: z.uuid().describe('The first delivery of this message.'),
}).meta({ id: 'Redelivery' });
