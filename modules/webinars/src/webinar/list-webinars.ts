import type { AccountReader } from '@service/database';
import { cursorId, toPage } from '@service/trpc';
import type { z } from 'zod';
import type { ListWebinarsInput } from './schemas.ts';
import { nextSessions } from '../session/sessions.ts';
import { webinarToOutput } from './to-output.ts';
import { Webinar } from './webinar.ts';

/** A page of the account's webinars, newest first, without archived ones. */
export async function listWebinars(
  reader: AccountReader,
  { limit, cursor }: z.output<typeof ListWebinarsInput>,
) {
  const after = cursorId(cursor);
  const webinars = await reader.em.find(
    Webinar,
    { accountId: reader.accountId, status: { $ne: 'archived' }, ...(after && { id: { $lt: after } }) },
    { orderBy: { id: 'desc' }, limit: limit + 1 },
  );
  const sessions = await nextSessions(
    reader,
    webinars.map((webinar) => webinar.id),
  );
  return toPage(webinars, { limit, toItem: (webinar) => webinarToOutput(webinar, sessions.get(webinar.id)) });
}
