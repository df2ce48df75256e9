import { rowToEntity, type Database } from '@service/database';
import { webinarErrors } from '../errors.ts';
import type { JoinToken } from '../registration/join-token.ts';
import type { Registration } from '../registration/registration.ts';
import type { Webinar } from '../webinar/webinar.ts';
import type { RoomIdentity } from './room.ts';

const selectIdentity = {
  name: 'webinars.select_room_identity',
  text: `
    select r.*, w.room from webinars.registration r
    join webinars.webinar w on w.account_id = r.account_id and w.id = r.webinar_id and w.status = 'published'
    where r.account_id = $1 and r.id = $2 and r.status <> 'cancelled'`,
};

/** Finds the attendee of a token, with the chat mode of the webinar. Throws join_link_expired. */
export async function identify({ query }: Pick<Database, 'query'>, token: JoinToken): Promise<RoomIdentity> {
  const [row] = await query(selectIdentity, [token.accountId, token.registrationId]);
  const registration = row && rowToEntity<Registration & Pick<Webinar, 'room'>>(row);
  if (registration?.tokenVersion !== token.tokenVersion) throw webinarErrors.join_link_expired();
  const { accountId, webinarId, sessionId, id, room } = registration;
  return { accountId, webinarId, sessionId, registrationId: id, chatMode: room.chatMode };
}
