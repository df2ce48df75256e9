import { attendeeErrors, type JoinToken, type Room } from '@service/attendees';

/** The proved token of a join link that was just made. */
export function readToken(room: Pick<Room, 'read'>, join: string): JoinToken {
  const read = room.read(join);
  if (!read?.isProved) throw attendeeErrors.join_link_expired();
  return read.token;
}
