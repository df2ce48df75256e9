import { lowestIdSince, type AccountReader } from '@service/database';
import { cursorId, toPage, type Principal } from '@service/trpc';
import type { z } from 'zod';
import { AttendeeEventRow } from '../entities/attendee-event.ts';
import { findRegistration } from './find-registration.ts';
import { mayReadRevenue, revenueEventTypes } from './registration-revenue.ts';
import type { ListEventsInput } from './schemas.ts';

/**
 * A page of the events of a registration, newest first. Partitions of the months before the registration are not read. All later
 * ones are, because an attendee can click in a replay years later. Purchases and refunds name amounts, so they are left out for a
 * principal who may not read revenue. Throws webinar_not_found, registration_not_found.
 */
export async function listEvents(
  reader: AccountReader,
  { limit, cursor, ...filters }: z.output<typeof ListEventsInput>,
  principal: Principal,
) {
  const registration = await findRegistration(reader, filters);
  const scope = { list: 'attendee_events', accountId: reader.accountId, filters };
  const after = cursorId(cursor, scope);
  const first = lowestIdSince(registration.id);
  const events = await reader.em.find(
    AttendeeEventRow,
    {
      accountId: reader.accountId,
      registrationId: registration.id,
      id: { $gte: first, ...(after && { $lt: after }) },
      ...(!mayReadRevenue(principal) && { type: { $nin: [...revenueEventTypes] } }),
    },
    { orderBy: { id: 'desc' }, limit: limit + 1 },
  );
  return toPage(events, {
    limit,
    scope,
    toItem: ({ id, type, occurredAt, data }) => ({ id, type, occurredAt: occurredAt.toISOString(), data }),
  });
}
