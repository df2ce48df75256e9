import { webinarErrors, type JoinToken, type Room } from '@service/webinars';

/** The proved token of a join link that was just made. */
export function readToken(room: Pick<Room, 'read'>, join: string): JoinToken {
  const read = room.read(join);
  if (!read?.isProved) throw webinarErrors.join_link_expired();
  return read.token;
}
