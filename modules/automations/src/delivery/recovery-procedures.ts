import {
  RecoveryOutput,
  RecoveryPreviewOutput,
  type Deliveries,
  type RecoveryRequest,
} from '@service/deliveries';
import { commonErrors } from '@service/errors';
import { dataOf, id, pageInput, pageOf, scopedMutation, scopedQuery } from '@service/trpc';
import { z } from 'zod';
import { recoveryRequest, RecoveryRequestFields } from './schemas.ts';
import type { SourceKind } from './source.ts';

const what =
  'Takes what was made in that time and ended with one of `statuses`, without tests. A message that was sent several times ' +
  'is sent once, and left out when it has arrived since or is on its way.';

/** Everything that a rule or a subscription failed to bring in a time, sent again. */
export function recoveryProcedures<Shape extends z.ZodRawShape, EventType extends z.ZodType<string>>(
  deliveries: Deliveries,
  kind: SourceKind<Shape, EventType>,
) {
  const { noun, title, tag, key } = kind;
  const path = `${kind.path}/recoveries` as const;
  const keyOf = (input: unknown) => z.object(key.shape).parse(input);
  const eventTypes = z
    .array(kind.eventType)
    .min(1)
    .max(100)
    .optional()
    .describe('Only these; all when left out.');
  const request = z.strictObject({ ...key.shape, ...recoveryRequest, eventTypes });
  const one = z.strictObject({ ...key.shape, recoveryId: id('recovery') });

  return {
    previewRecovery: scopedMutation({
      scope: 'automations:read',
      rest: `POST ${path}/preview`,
      tool: `preview_${noun}_recovery`,
      summary: `Count what a recovery of a ${title} would send`,
      description: `Queues nothing. ${what}`,
      tag,
    })
      .input(request)
      .output(dataOf(RecoveryPreviewOutput))
      .mutation(({ ctx, input }) =>
        ctx.transaction(async (tx) => {
          const { endpointId } = await kind.find(tx, keyOf(input));
          return { data: await deliveries.previewRecovery(tx, toRequest(endpointId, input, tx.now)) };
        }),
      ),

    createRecovery: scopedMutation({
      scope: 'automations:write',
      rest: `POST ${path}`,
      tool: `create_${noun}_recovery`,
      summary: `Send again what a ${title} failed to bring`,
      description:
        `${what} Goes on in the background, gently: the endpoint keeps room for what is new. One at a time; switching off ` +
        `the ${title} cancels it.`,
      tag,
      status: 202,
    })
      .input(request)
      .output(dataOf(RecoveryOutput))
      .mutation(async ({ ctx, input }) => {
        const { source, recovery } = await ctx.transaction(async (tx) => {
          const source = await kind.hold(tx, keyOf(input));
          if (!source.isOn) throw kind.offError();
          const asked = toRequest(source.endpointId, input, tx.now);
          return { source, recovery: await deliveries.createRecovery(tx, asked) };
        });
        ctx.reply.location = `${source.path}/recoveries/${recovery.id}`;
        return { data: recovery };
      }),

    listRecoveries: scopedQuery({
      scope: 'automations:read',
      rest: `GET ${path}`,
      tool: `list_${noun}_recoveries`,
      summary: `List the recoveries of a ${title}`,
      description: 'Newest first. Those of the last 90 days.',
      tag,
    })
      .input(z.strictObject({ ...key.shape, ...pageInput }))
      .output(pageOf(RecoveryOutput))
      .query(async ({ ctx: { reader }, input }) => {
        const { endpointId } = await kind.find(reader, keyOf(input));
        return deliveries.listRecoveries(reader, { endpointId, ...z.object(pageInput).parse(input) });
      }),

    getRecovery: scopedQuery({
      scope: 'automations:read',
      rest: `GET ${path}/{recoveryId}`,
      tool: `get_${noun}_recovery`,
      summary: `Get a recovery of a ${title}`,
      description: 'With how far it has come.',
      tag,
    })
      .input(one)
      .output(dataOf(RecoveryOutput))
      .query(async ({ ctx: { reader }, input }) => {
        const { endpointId } = await kind.find(reader, keyOf(input));
        return { data: await deliveries.getRecovery(reader, { endpointId, ...RecoveryKey.parse(input) }) };
      }),

    cancelRecovery: scopedMutation({
      scope: 'automations:write',
      rest: `POST ${path}/{recoveryId}/cancel`,
      tool: `cancel_${noun}_recovery`,
      summary: `Stop a recovery of a ${title}`,
      description: 'What it has queued stays queued.',
      tag,
    })
      .input(one)
      .output(dataOf(RecoveryOutput))
      .mutation(({ ctx, input }) =>
        ctx.transaction(async (tx) => {
          const { endpointId } = await kind.find(tx, keyOf(input));
          return { data: await deliveries.cancelRecovery(tx, { endpointId, ...RecoveryKey.parse(input) }) };
        }),
      ),
  };
}

const RecoveryKey = z.object({ recoveryId: z.string() });

/** Throws validation_failed when the time ends before it begins. */
function toRequest(endpointId: string, input: unknown, now: Date): RecoveryRequest {
  const { since, until, ...filters } = RecoveryRequestFields.parse(input);
  const from = new Date(since);
  const to = until === undefined ? undefined : new Date(until);
  if (from >= (to ?? now)) {
    throw commonErrors.validation_failed({ issues: [{ path: 'since', message: 'Must be before until.' }] });
  }
  return { endpointId, since: from, until: to, ...filters };
}
