import { idTime, type AccountReader } from '@service/database';
import type { Deliveries } from '@service/deliveries';
import { findWebinar } from '@service/webinars';
import type { z } from 'zod';
import { automationErrors } from '../errors.ts';
import { Execution } from '../execution/execution.ts';
import type {
  RegistrationDeliveriesInput,
  RegistrationDeliveriesOutput,
  WebinarDeliveryInput,
} from './schemas.ts';

/** Executions looked at for a page of registrations; a registration has a handful. */
const executionsMax = 2000;

/** What was sent for each of these registrations, oldest first. */
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
  const summaries = await deliveries.summaries(
    reader,
    executions.map((execution) => execution.deliveryId!),
  );
  return input.registrationIds.map((registrationId) => ({
    registrationId,
    deliveries: executions
      .filter((execution) => execution.registrationId === registrationId)
      .flatMap((execution) => {
        const summary = summaries.get(execution.deliveryId!);
        if (!summary) return [];
        const createdAt = idTime(summary.id).toISOString();
        return [{ ...summary, eventType: execution.eventType, sourceName: execution.ruleName, createdAt }];
      }),
  }));
}

/** One delivery that a rule of this webinar caused. Throws webinar_not_found, delivery_not_found. */
export async function findWebinarDelivery(
  reader: AccountReader,
  deliveries: Deliveries,
  { webinarId, deliveryId }: z.output<typeof WebinarDeliveryInput>,
) {
  const webinar = await findWebinar(reader, webinarId);
  const execution = await reader.em.findOne(Execution, {
    accountId: reader.accountId,
    webinarId: webinar.id,
    deliveryId,
  });
  if (!execution) throw automationErrors.delivery_not_found();
  return { ...(await deliveries.get(reader, { deliveryId })), sourceName: execution.ruleName };
}
