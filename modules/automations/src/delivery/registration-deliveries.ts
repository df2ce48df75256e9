import { idTime, type AccountReader } from '@service/database';
import type { Deliveries } from '@service/deliveries';
import { findWebinar } from '@service/webinars';
import type { z } from 'zod';
import { Execution } from '../execution/execution.ts';
import type { RegistrationDeliveriesInput, RegistrationDeliveriesOutput } from './schemas.ts';

/** Executions looked at for a page of registrations; a registration has a handful. */
const executionsMax = 2000;

/** What was sent for each of these registrations, repeats too, oldest first. */
export async function deliveriesByRegistration(
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
