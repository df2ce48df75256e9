// Deliveries of a webinar as the dashboard shows them: with the registration and the rule or subscription they belong to.
import { findRegistrants } from '@service/attendees';
import { idAt, idTime, type AccountReader, type AccountWriter } from '@service/database';
import { deliveryErrors, type Deliveries } from '@service/deliveries';
import { findWebinar } from '@service/webinars';
import type { z } from 'zod';
import type { RedeliveryOutput } from './endpoint/schemas.ts';
import type {
  FindDeliveryInput,
  RegistrationDeliveriesInput,
  RegistrationDeliveriesOutput,
  WebinarDeliveryInput,
  WebinarDeliveryOutput,
} from './endpoint/list-schemas.ts';
import { Execution } from './entities.ts';
import { automationErrors } from './errors.ts';
import { lockEnabledRule, requireWebhook } from './rule/rules.ts';
import { findSources } from './endpoint/endpoint-owners.ts';
import { lockActiveSubscription } from './subscription/subscriptions.ts';

/** Executions that are read for a page of registrations. A registration has a handful. */
const executionsMax = 2000;

/** Lists the deliveries of each registration, redeliveries included, oldest first. */
export async function listRegistrationDeliveries(
  reader: AccountReader,
  deliveries: Deliveries,
  input: z.output<typeof RegistrationDeliveriesInput>,
): Promise<z.input<typeof RegistrationDeliveriesOutput>[]> {
  const webinar = await findWebinar(reader, input.webinarId);
  const executions = await reader.em.find(
    Execution,
    {
      accountId: reader.accountId,
      webinarId: webinar.id,
      registrationId: { $in: input.registrationIds },
      deliveryId: { $ne: null },
    },
    { orderBy: { id: 'asc' }, limit: executionsMax },
  );
  const first = executions.map((execution) => ({ id: execution.deliveryId!, redeliveryOf: null, execution }));
  const executionById = new Map(first.map(({ id, execution }) => [id, execution]));
  const redeliveries = await deliveries.redeliveriesOf(reader, [...executionById.keys()]);
  const again = redeliveries.map((redelivery) => ({
    ...redelivery,
    execution: executionById.get(redelivery.redeliveryOf)!,
  }));
  const sent = [...first, ...again].toSorted((a, b) => (a.id < b.id ? -1 : 1));
  const summaries = await deliveries.summaries(
    reader,
    sent.map(({ id }) => id),
  );
  return input.registrationIds.map((registrationId) => ({
    registrationId,
    deliveries: sent
      .filter(({ execution }) => execution.registrationId === registrationId)
      .flatMap(({ id, redeliveryOf, execution: { eventType, ruleName } }) => {
        const summary = summaries.get(id);
        const createdAt = idTime(id).toISOString();
        return summary ? [{ ...summary, eventType, sourceName: ruleName, redeliveryOf, createdAt }] : [];
      }),
  }));
}

type Key = z.output<typeof WebinarDeliveryInput>;

/**
 * Finds a delivery of an event, a redelivery or a test: of this webinar, or of any without one. Throws webinar_not_found,
 * delivery_not_found.
 */
export async function findWebinarDelivery(
  reader: AccountReader,
  deliveries: Deliveries,
  { webinarId, deliveryId }: z.output<typeof FindDeliveryInput>,
): Promise<z.input<typeof WebinarDeliveryOutput>> {
  if (webinarId !== undefined) await findWebinar(reader, webinarId);
  const endpointId = await deliveries.endpointOf(reader, deliveryId);
  const owner = (await findSources(reader, [endpointId])).get(endpointId) ?? null;
  const source = webinarId === undefined || owner?.webinarId === webinarId ? owner : null;
  const delivery = await deliveries.get(reader, { deliveryId });
  const foundId = webinarId ?? source?.webinarId ?? (await webinarOf(reader, delivery.registrationId));
  if (foundId === undefined) throw deliveryErrors.delivery_not_found();
  const webinar = await findWebinar(reader, foundId);
  const execution = await findExecution(reader, {
    webinarId: webinar.id,
    deliveryId: delivery.redeliveryOf ?? deliveryId,
  });
  if (!source && !execution) throw deliveryErrors.delivery_not_found();
  return {
    ...delivery,
    webinarId: webinar.id,
    executionId: execution?.id ?? null,
    sourceName: execution?.ruleName ?? source?.name ?? 'Subscription',
    source,
  };
}

/** The webinar of a delivery whose rule or subscription was deleted. */
async function webinarOf(reader: AccountReader, registrationId: string | null): Promise<string | undefined> {
  if (registrationId === null) return undefined;
  const [registrant] = await findRegistrants(reader, [registrationId]);
  return registrant?.webinarId;
}

/** An execution gets its id after its delivery, in the same transaction, so at most this much later. */
const executionLagMs = 60_000;

/** Finds the execution of a delivery. The range of ids matters: a webinar can have a million executions. */
function findExecution({ em, accountId }: AccountReader, { webinarId, deliveryId }: Key) {
  const latest = idAt(new Date(idTime(deliveryId).getTime() + executionLagMs));
  return em.findOne(Execution, { accountId, webinarId, deliveryId, id: { $gt: deliveryId, $lt: latest } });
}

/**
 * Sends a failed or retrying delivery of this webinar again. Throws delivery_not_found, delivery_not_failed, delivery_in_flight,
 * delivery_replaced, rule_disabled, webhook_inactive, and rule_not_found if its rule or subscription was deleted.
 */
export async function refire(
  tx: AccountWriter,
  deliveries: Deliveries,
  { webinarId, deliveryId }: Key,
): Promise<z.input<typeof RedeliveryOutput>> {
  const { source } = await findWebinarDelivery(tx, deliveries, { webinarId, deliveryId });
  if (!source) throw automationErrors.rule_not_found();
  const { endpointId } =
    source.kind === 'rule'
      ? requireWebhook(await lockEnabledRule(tx, { webinarId, ruleId: source.id }))
      : await lockActiveSubscription(tx, { webinarId, webhookId: source.id });
  const redelivery = await deliveries.redeliver(tx, { deliveryId, endpointId, isRefire: true });
  return { ...redelivery, status: 'queued' };
}
