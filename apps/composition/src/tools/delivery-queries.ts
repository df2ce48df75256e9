import type { AccountReader } from '@service/database';
import { statusFilter } from '@service/deliveries';
import { commonErrors } from '@service/errors';
import { id, mayRead, moment, pageInput, toolQuery, type Principal } from '@service/trpc';
import { loadWebinars } from '@service/webinars';
import { z } from 'zod';
import type { CallModules, Modules } from '../modules.ts';

const ExecutionsInput = z.strictObject({
  webinarId: id('webinar'),
  ruleId: id('rule').optional(),
  registrationId: id('registration').optional(),
  outcome: z.enum(['matched', 'skipped']).optional(),
  from: moment.optional(),
  to: moment.optional(),
  ...pageInput,
});

const DeliveriesInput = z.strictObject({
  webinarId: id('webinar').optional(),
  ruleId: id('rule').optional(),
  subscriptionId: id('subscription').optional().describe('Only this subscription.'),
  registrationId: id('registration').optional(),
  status: statusFilter.optional(),
  from: moment.optional(),
  to: moment.optional(),
  ...pageInput,
});

const DeliveryInput = z.strictObject({
  webinarId: id('webinar'),
  ruleId: id('rule'),
  deliveryId: id('delivery'),
});

/** Executions and deliveries with the names of attendees, rules and webinars beside their ids. */
export const createDeliveryQueries = (callModules: CallModules) => ({
  executions: toolQuery({ mayBeLate: true, scope: 'automations:read' })
    .input(ExecutionsInput)
    .output(z.looseObject({}))
    .query(async ({ ctx, input: { ruleId, ...input } }) => {
      const modules = callModules(ctx);
      const list = await (ruleId === undefined
        ? modules.automations.executions(input)
        : modules.automations.ruleExecutions({ ...input, ruleId }));
      return { ...list, data: await withAttendees(modules, ctx.principal, list.data) };
    }),

  /** The deliveries of rules and subscriptions. One of both that was deleted is null. A page may be short and still have a next page. */
  deliveries: toolQuery({ mayBeLate: true, scope: 'automations:read' })
    .input(DeliveriesInput)
    .output(z.looseObject({}))
    .query(async ({ ctx, input: { ruleId, subscriptionId, ...input } }) => {
      if (ruleId !== undefined && subscriptionId !== undefined) {
        const message = 'Give a rule or a subscription, not both.';
        throw commonErrors.validation_failed({ issues: [{ path: 'subscriptionId', message }] });
      }
      const modules = callModules(ctx);
      const list = await modules.deliveries.list({ ...input, sourceId: ruleId ?? subscriptionId });
      const titles = await titlesOf(
        ctx.reader,
        list.data.flatMap(({ source }) => source?.webinarId ?? []),
      );
      const data = list.data.map(({ source, ...delivery }) => ({
        ...delivery,
        source: source && (source.kind === 'rule' ? 'rule' : 'subscription'),
        rule: source?.kind === 'rule' ? withTitle(source, titles) : null,
        subscription: source?.kind === 'webhook' ? withTitle(source, titles) : null,
      }));
      return { ...list, data: await withAttendees(modules, ctx.principal, data) };
    }),

  delivery: toolQuery({ scope: 'automations:read' })
    .input(DeliveryInput)
    .output(z.looseObject({}))
    .query(async ({ ctx, input }) => {
      const modules = callModules(ctx);
      const { data } = await modules.automations.rules.getDelivery(input);
      const [delivery] = await withAttendees(modules, ctx.principal, [data]);
      return { data: delivery };
    }),
});

const withTitle = <Source extends { webinarId: string }>(source: Source, titles: Map<string, string>) => ({
  ...source,
  webinarTitle: titles.get(source.webinarId) ?? null,
});

/** Adds the attendee to each row; null for a key that may not read registrations, and for a registration that is gone. */
async function withAttendees<Row extends { registrationId: string | null }>(
  modules: Modules,
  principal: Principal,
  rows: readonly Row[],
) {
  const ids = [...new Set(rows.flatMap(({ registrationId }) => registrationId ?? []))];
  const { data: people } =
    ids.length > 0 && mayRead(principal, 'registrations:read')
      ? await modules.registrations.byIds({ ids })
      : { data: [] };
  const personById = new Map(
    people.map(({ id: registrationId, name, email }) => [registrationId, { name, email }]),
  );
  return rows.map((row) => ({ ...row, attendee: personById.get(row.registrationId ?? '') ?? null }));
}

async function titlesOf(
  { query, accountId }: AccountReader,
  webinarIds: readonly string[],
): Promise<Map<string, string>> {
  const keys = [...new Set(webinarIds)].map((webinarId) => ({ accountId, id: webinarId }));
  const webinars = await loadWebinars(query, keys);
  return new Map([...webinars].map(([webinarId, { title }]) => [webinarId, title]));
}
