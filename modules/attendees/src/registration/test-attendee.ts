// A test attendee: a member looks at a session as attendees see it. Their registration has the status `test`, takes no place, and is in
// no list and no count. Their events are neither kept nor published (`run-calls.ts`), so no rule fires.
import { type AccountWriter, createId, type Query, statement } from '@service/database';
import { loadSessions, shareOpenWebinar, webinarErrors } from '@service/webinars';
import { Registration } from '../entities/registration.ts';

/** Registrations and attendances of tests are deleted after this time. */
const keptMs = 86_400_000;

interface TestInput {
  webinarId: string;
  sessionId: string;
  name: string;
}

/** Throws webinar_not_found, webinar_not_published, session_not_found. */
export async function createTestAttendee(
  tx: AccountWriter,
  { webinarId, sessionId, name }: TestInput,
): Promise<Registration> {
  const { accountId } = tx;
  const webinar = await shareOpenWebinar(tx, webinarId);
  const session = (await loadSessions(tx.query, [{ accountId, id: sessionId }])).get(sessionId);
  if (session?.webinarId !== webinar.id) throw webinarErrors.session_not_found();
  const id = createId();
  const registration = tx.em.create(Registration, {
    accountId,
    id,
    webinarId: webinar.id,
    sessionId: session.id,
    name,
    // A reserved name, to which no mail is ever sent (RFC 2606).
    email: `${id}@test.invalid`,
    source: 'dashboard',
    status: 'test',
    registeredAt: tx.now,
  });
  await tx.em.flush();
  return registration;
}

const remove = statement({
  name: 'attendees.delete_test_attendees',
  text: `
    with old as (
      delete from attendees.registration where status = 'test' and registered_at < $1
      returning account_id, id
    )
    delete from attendees.attendance a using old where a.account_id = old.account_id and a.registration_id = old.id`,
  allAccounts: 'Test attendees of every account are deleted after a day.',
});

/** Deletes the test attendees of the day before. */
export const deleteTestAttendees = async (query: Query, now: Date): Promise<void> =>
  void (await query(remove, [new Date(now.getTime() - keptMs)]));
