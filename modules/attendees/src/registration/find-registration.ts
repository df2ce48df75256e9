import { LockMode } from '@mikro-orm/postgresql';
import type { AccountReader, AccountWriter } from '@service/database';
import { findWebinar, loadSessions, type Session } from '@service/webinars';
import type { z } from 'zod';
import { Registration } from '../entities/registration.ts';
import { attendeeErrors } from '../errors.ts';
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
  if (!registration) throw attendeeErrors.registration_not_found();
  return registration;
}

/** The people of registrations of any webinars. Leaves out ids that do not exist or belong to another account. */
export const findRegistrants = ({ em, accountId }: AccountReader, ids: readonly string[]) =>
  em.find(
    Registration,
    { accountId, id: { $in: [...ids] } },
    { fields: ['id', 'webinarId', 'name', 'email'] },
  );

/** The sessions of registrations, by id. */
export const findSessions = (
  { query, accountId }: AccountReader,
  registrations: readonly Registration[],
): Promise<Map<string, Session>> => {
  const ids = new Set(registrations.map(({ sessionId }) => sessionId));
  return loadSessions(
    query,
    [...ids].map((id) => ({ accountId, id })),
  );
};

/** The session of a registration. */
export async function findSession(reader: AccountReader, registration: Registration): Promise<Session> {
  const sessions = await findSessions(reader, [registration]);
  return sessions.get(registration.sessionId)!;
}
