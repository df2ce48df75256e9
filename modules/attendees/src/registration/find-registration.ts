import { LockMode } from '@mikro-orm/postgresql';
import { column, statement, type AccountReader, type AccountWriter } from '@service/database';
import { findWebinar, keysIn, loadSessions, type Session } from '@service/webinars';
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
    { accountId: reader.accountId, id: registrationId, webinarId: webinar.id, status: { $ne: 'test' } },
    { lockMode },
  );
  if (!registration) throw attendeeErrors.registration_not_found();
  return registration;
}

const selectRegistrants = statement({
  name: 'attendees.select_registrants',
  text: `
    select r.id, r.webinar_id as "webinarId", r.name, r.email
    from unnest($2::uuid[]) as wanted (id)
    cross join lateral (select * from attendees.registration where account_id = $1 and id = wanted.id limit 1) r`,
  row: { id: column.id, webinarId: column.id, name: column.text, email: column.text },
});

/** The people of registrations of any webinars. Leaves out ids that do not exist or belong to another account. */
export const findRegistrants = ({ query, accountId }: AccountReader, ids: readonly string[]) =>
  query(selectRegistrants, [accountId, ids]);

const selectLatest = statement({
  name: 'attendees.select_latest_registrants',
  text: `
    select id, name, email, registered_at as "registeredAt" from attendees.registration
    where account_id = $1 and status <> 'test' order by id desc limit $2`,
  row: { id: column.id, name: column.text, email: column.text, registeredAt: column.time },
});

/** The newest registrations of an account, the newest first. A person may have several. */
export const findLatestRegistrants = (
  { query, accountId }: Pick<AccountReader, 'query' | 'accountId'>,
  countMax: number,
) => query(selectLatest, [accountId, countMax]);

/** The sessions of registrations, by id. */
export const findSessions = (
  { query, accountId }: AccountReader,
  registrations: readonly Registration[],
): Promise<Map<string, Session>> => {
  const ids = registrations.map(({ sessionId }) => sessionId);
  return loadSessions(query, keysIn(accountId, ids));
};

/** The session of a registration. */
export async function findSession(reader: AccountReader, registration: Registration): Promise<Session> {
  const sessions = await findSessions(reader, [registration]);
  return sessions.get(registration.sessionId)!;
}
