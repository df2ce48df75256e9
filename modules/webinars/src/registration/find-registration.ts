import { LockMode } from '@mikro-orm/postgresql';
import type { AccountReader, AccountWriter } from '@service/database';
import type { z } from 'zod';
import { webinarErrors } from '../errors.ts';
import { Session } from '../session/session.ts';
import { findWebinar } from '../webinar/find-webinar.ts';
import { Registration } from './registration.ts';
import type { RegistrationInput } from './schemas.ts';

type Where = z.output<typeof RegistrationInput>;

/** One registration of a webinar. Throws webinar_not_found, registration_not_found. */
export const findRegistration = (reader: AccountReader, where: Where): Promise<Registration> =>
  find(reader, where, LockMode.NONE);

/** Like findRegistration, and locks the row until the end of the transaction. */
export const lockRegistration = (tx: AccountWriter, where: Where): Promise<Registration> =>
  find(tx, where, LockMode.PESSIMISTIC_WRITE);

async function find(
  reader: AccountReader,
  { webinarId, registrationId }: Where,
  lockMode: LockMode,
): Promise<Registration> {
  const webinar = await findWebinar(reader, webinarId);
  const registration = await reader.em.findOne(
    Registration,
    { accountId: reader.accountId, id: registrationId, webinarId: webinar.id },
    { lockMode },
  );
  if (!registration) throw webinarErrors.registration_not_found();
  return registration;
}

/** Sessions of some registrations, by session id. */
export async function findSessions(
  reader: AccountReader,
  registrations: readonly Registration[],
): Promise<Map<string, Session>> {
  const ids = [...new Set(registrations.map((registration) => registration.sessionId))];
  const sessions = await reader.em.find(Session, { accountId: reader.accountId, id: { $in: ids } });
  return new Map(sessions.map((session) => [session.id, session]));
}

/** The session of a registration. */
export const findSession = (reader: AccountReader, registration: Registration): Promise<Session> =>
  reader.em.findOneOrFail(Session, { accountId: reader.accountId, id: registration.sessionId });
