import { statement, type Database } from '@service/database';
import { acceptsEvents, loadWebinars } from '@service/webinars';
import { registrationRow } from '../entities/registration.ts';
import { attendeeErrors } from '../errors.ts';
import type { JoinToken } from '../registration/join-token.ts';
import type { RoomIdentity } from './room.ts';

const selectRegistration = statement({
  name: 'attendees.select_room_registration',
  text: `select * from attendees.registration where account_id = $1 and id = $2 and status <> 'cancelled'`,
  row: registrationRow.columns,
});

/** The attendee of a token, and the part of the chat that they see. Throws join_link_expired. */
export async function identify({ query }: Pick<Database, 'query'>, token: JoinToken): Promise<RoomIdentity> {
  const [row] = await query(selectRegistration, [token.accountId, token.registrationId]);
  const registration = row && registrationRow.toEntity(row);
  if (registration?.tokenVersion !== token.tokenVersion) throw attendeeErrors.join_link_expired();
  const { accountId, webinarId, sessionId, id } = registration;
  const webinars = await loadWebinars(query, [{ accountId, id: webinarId }]);
  const webinar = webinars.get(webinarId);
  if (!webinar || !acceptsEvents(webinar)) throw attendeeErrors.join_link_expired();
  return { accountId, webinarId, sessionId, registrationId: id, chatMode: webinar.room.chatMode };
}
