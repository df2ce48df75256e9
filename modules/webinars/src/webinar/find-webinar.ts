import type { AccountReader } from '@service/database';
import { webinarErrors } from '../errors.ts';
import { Webinar } from './webinar.ts';

/** The account's webinar. Not there, somebody else's and archived are one answer: webinar_not_found. */
export async function findWebinar(reader: AccountReader, webinarId: string): Promise<Webinar> {
  const webinar = await reader.em.findOne(Webinar, {
    accountId: reader.accountId,
    id: webinarId,
    status: { $ne: 'archived' },
  });
  if (!webinar) throw webinarErrors.webinar_not_found();
  return webinar;
}
