// Revenue events from clients with a key, for tools that cannot sign a webhook.
import { databaseTime, mapInTurns, takePlace, type AccountWriter } from '@service/database';
import { commonErrors, type AppError } from '@service/errors';
import { batchOf, dataOf, ErrorIssue, issuesOf, router, scopedMutation } from '@service/trpc';
import { z } from 'zod';
import { revenueErrors } from '../../errors.ts';
import { conflictText, genericPayload, integerFields } from '../providers/generic/generic.ts';
import { findTextProblems } from '../providers/generic/strict-json.ts';
import type { RevenueIntake } from './intake.ts';
import type { ProvedEvent } from './store-events.ts';

const batchMax = 200;
/** Its events take turns in any case, because the ledger of an account is locked. */
const batchCalls = { work: 'revenue.client_events', places: 1 };

const Payload = genericPayload(databaseTime);

/** Members of the body of a batch: a hundred for each event. */
const batchMembersMax = 100 * batchMax;

// A refused row must not refuse the others. So rows are parsed one by one later, and the schema here only describes them.
const { $schema: _dialect, $defs: _named, ...rowDescription } = z.toJSONSchema(Payload, { io: 'input' });
const describedRow = z.unknown().meta({ id: 'RevenuePayload', ...rowDescription });

const RevenueBatch = z
  .strictObject({
    events: z
      .array(describedRow)
      .min(1, 'Give at least one.')
      .max(batchMax, `At most ${batchMax}.`)
      .describe('The events to store.'),
  })
  .meta({ id: 'RevenueBatch' });

const outcome = {
  id: z.uuid().describe('The id of the revenue event.'),
  message: z.string().optional().describe('The reason of a `conflict`.'),
};

const statusText =
  '`accepted`: stored. `duplicate`: the event was stored before. `conflict`: an event with this `event_id` and `type` was stored before ' +
  'with other content, which was kept.';

const RecordedEvent = z
  .object({
    ...outcome,
    status: z
      .enum(['accepted', 'duplicate', 'conflict'])
      .meta({ id: 'RevenueRecordStatus', description: statusText }),
  })
  .meta({ id: 'RecordedRevenueEvent' });

const refusal = {
  code: z.string().describe('The code of the error, as in an answer of its own.'),
  message: z.string().describe('The error in words.'),
  issues: z.array(ErrorIssue).optional().describe('Every problem of the event.'),
};

const RecordedEvents = batchOf(
  z
    .object({
      index: z.int().describe('Position of the event in the request, from 0.'),
      status: z
        .enum(['accepted', 'duplicate', 'conflict', 'error'])
        .meta({ id: 'RevenueBatchStatus', description: `${statusText} \`error\`: refused, and not stored.` }),
      id: outcome.id.optional(),
      message: outcome.message,
      error: z
        .object(refusal)
        .meta({ id: 'RevenueRefusal' })
        .optional()
        .describe('Why the event was refused. Only with `error`.'),
    })
    .meta({ id: 'RevenueBatchResult' }),
  z
    .object({
      accepted: z.int().describe('Events that were stored.'),
      duplicate: z.int().describe('Events that were stored before.'),
      conflict: z.int().describe('Events that were stored before with other content.'),
      failed: z.int().describe('Events that were refused.'),
    })
    .meta({ id: 'RevenueBatchSummary', description: 'The number of events by their result.' }),
);

const scope = 'revenue:write';
const tag = 'Revenue';

export const createClientEventsRouter = ({ revenueIntake }: { revenueIntake: RevenueIntake }) =>
  router({
    record: scopedMutation({
      scope,
      rest: 'POST /revenue/events',
      operationId: 'recordRevenueEvent',
      summary: 'Record a revenue event',
      description:
        'Stores a purchase, a refund or a chargeback and credits it, as a webhook of the generic source does. The body is the generic ' +
        'payload of revenue webhooks, without a signature, and other fields are ignored. The same event again is a `duplicate`, also if the first came over the webhook.',
      tag,
      checkBodyText: (text) => findTextProblems(text, { integers: integerFields }),
    })
      .input(Payload.loose().meta({ id: 'RevenueEventInput' }))
      .output(dataOf(RecordedEvent))
      .mutation(({ ctx, input }) =>
        ctx.transaction(async (tx) => {
          const [stored] = await revenueIntake.storePayloads(tx, [input]);
          return { data: toOutput(stored!) };
        }),
      ),

    recordMany: scopedMutation({
      scope,
      rest: 'POST /revenue/events/bulk',
      operationId: 'recordRevenueEvents',
      summary: 'Record many revenue events',
      description:
        `Up to ${batchMax} events. A refused event has an \`error\` in its result and does not affect the others. A workspace can run ` +
        'one such call at a time; a second is answered `429 revenue_rate_limited`. A body in which a name occurs twice, or an ' +
        '`amount_minor` has a fraction or an exponent, is refused as a whole, as malformed JSON is.',
      tag,
      checkBodyText: (text) =>
        findTextProblems(text, { integers: integerFields, level: 3, membersMax: batchMembersMax }),
    })
      .input(RevenueBatch)
      .output(RecordedEvents)
      .mutation(({ ctx, input: { events } }) =>
        ctx.transaction((tx) => recordMany(tx, events, revenueIntake)),
      ),
  });

async function recordMany(
  tx: AccountWriter,
  events: readonly unknown[],
  revenueIntake: RevenueIntake,
): Promise<z.output<typeof RecordedEvents>> {
  if (!(await takePlace(tx, batchCalls))) throw revenueErrors.revenue_rate_limited({ retryAfterSeconds: 1 });
  const rows = await mapInTurns(events, (event) => Payload.safeParse(event));
  const valid = rows.flatMap(({ data }) => (data ? [data] : []));
  const stored = (await revenueIntake.storePayloads(tx, valid)).values();
  const data = rows.map(({ success, error }, index) =>
    success
      ? { index, ...toOutput(stored.next().value!) }
      : { index, status: 'error' as const, error: refusalOf(error, events[index]) },
  );
  const count = (wanted: (typeof data)[number]['status']): number =>
    data.filter(({ status }) => status === wanted).length;
  const [accepted, duplicate, conflict, failed] = (
    ['accepted', 'duplicate', 'conflict', 'error'] as const
  ).map(count) as [number, number, number, number];
  return { data, summary: { accepted, duplicate, conflict, failed } };
}

function toOutput(stored: ProvedEvent): z.output<typeof RecordedEvent> {
  if (!('id' in stored)) throw new TypeError('A payload that was read is a fact.');
  const status = stored.kind === 'stored' ? 'accepted' : stored.kind;
  return { id: stored.id, status, ...(status === 'conflict' && { message: conflictText }) };
}

function refusalOf(error: z.ZodError, input: unknown): Pick<AppError, 'code' | 'message' | 'issues'> {
  // An event that is no object has no field to name.
  const named = issuesOf(error, { input }).map((issue) => ({ ...issue, path: issue.path || 'body' }));
  const { code, message, issues } = commonErrors.validation_failed({ issues: named });
  return { code, message, issues };
}
