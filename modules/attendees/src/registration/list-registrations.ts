import type { FilterQuery } from '@mikro-orm/postgresql';
import { idAt, type AccountReader } from '@service/database';
import { cursorId, toPage } from '@service/trpc';
import { findWebinar } from '@service/webinars';
import type { z } from 'zod';
import { readAttendances } from '../attendance/read-attendances.ts';
import { Registration } from '../entities/registration.ts';
import { findSessions } from './find-registration.ts';
import type { JoinLinks } from './join-token.ts';
import type { ListRegistrationsInput } from './schemas.ts';
import { registrationToOutput } from './to-output.ts';

/** An id is made at most this long after the time of its request: reading the body can take a minute, and the work takes time too. */
const requestMaxMs = 300_000;

/** A page of a webinar's registrations, newest first. Throws webinar_not_found. */
export async function listRegistrations(
  reader: AccountReader,
  { limit, cursor, ...filters }: z.output<typeof ListRegistrationsInput>,
  joinLinks: Pick<JoinLinks, 'urlOf'>,
) {
  await findWebinar(reader, filters.webinarId);
  const { webinarId, email, sessionId, status, registeredFrom, registeredTo } = filters;
  const scope = { list: 'registrations', accountId: reader.accountId, filters };
  const after = cursorId(cursor, scope);
  const conditions: FilterQuery<Registration>[] = [{ accountId: reader.accountId, webinarId }];
  if (email) conditions.push({ email });
  if (sessionId) conditions.push({ sessionId });
  if (status) conditions.push({ status });
  // registeredAt is the time of the request, and the id is made a little later.
  if (registeredFrom) {
    const from = new Date(registeredFrom);
    conditions.push({ id: { $gte: idAt(from) }, registeredAt: { $gte: from } });
  }
  if (registeredTo) {
    const to = new Date(registeredTo);
    conditions.push({ id: { $lt: idAt(new Date(to.getTime() + requestMaxMs)) }, registeredAt: { $lt: to } });
  }
  if (after) conditions.push({ id: { $lt: after } });
  const registrations = await reader.em.find(
    Registration,
    { $and: conditions },
    { orderBy: { id: 'desc' }, limit: limit + 1 },
  );
  const ids = registrations.map((registration) => registration.id);
  const sessionById = await findSessions(reader, registrations);
  const attendances = await readAttendances(reader, ids);
  return toPage(registrations, {
    limit,
    scope,
    toItem: (registration) =>
      registrationToOutput(registration, sessionById.get(registration.sessionId)!, {
        joinLinks,
        attendances,
      }),
  });
}
