import type { AccountReader } from '@service/database';
import { cursorId, toPage } from '@service/trpc';
import type { z } from 'zod';
import { webinarErrors } from '../errors.ts';
import { findWebinar } from '../webinar/find-webinar.ts';
import { Registration } from './registration.ts';
import type { ListRegistrationsInput, RegistrationInput } from './schemas.ts';
import { Session } from '../session/session.ts';
import { registrationToOutput } from './to-output.ts';

/** A page of a webinar's registrations, newest first. Throws webinar_not_found. */
export async function listRegistrations(
  reader: AccountReader,
  input: z.output<typeof ListRegistrationsInput>,
) {
  const webinar = await findWebinar(reader, input.webinarId);
  const filters = { webinarId: webinar.id };
  const after = cursorId(input.cursor, filters);
  const registrations = await reader.em.find(
    Registration,
    { accountId: reader.accountId, ...filters, ...(after && { id: { $lt: after } }) },
    { orderBy: { id: 'desc' }, limit: input.limit + 1 },
  );
  const sessionById = await findSessions(reader, registrations);
  return toPage(registrations, {
    limit: input.limit,
    filters,
    toItem: (registration) => registrationToOutput(registration, sessionById.get(registration.sessionId)!),
  });
}

/** One registration of a webinar. Throws webinar_not_found, registration_not_found. */
export async function getRegistration(reader: AccountReader, input: z.output<typeof RegistrationInput>) {
  const webinar = await findWebinar(reader, input.webinarId);
  const registration = await reader.em.findOne(Registration, {
    accountId: reader.accountId,
    id: input.registrationId,
    webinarId: webinar.id,
  });
  if (!registration) throw webinarErrors.registration_not_found();
  const sessionById = await findSessions(reader, [registration]);
  return registrationToOutput(registration, sessionById.get(registration.sessionId)!);
}

async function findSessions(
  reader: AccountReader,
  registrations: readonly Registration[],
): Promise<Map<string, Session>> {
  const ids = [...new Set(registrations.map((registration) => registration.sessionId))];
  const sessions = await reader.em.find(Session, { accountId: reader.accountId, id: { $in: ids } });
  return new Map(sessions.map((session) => [session.id, session]));
}
