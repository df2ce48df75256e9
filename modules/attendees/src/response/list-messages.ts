import { column, highestId, lowestIdSince, nullable, statement, type AccountReader } from '@service/database';
import { cursorId, toPage } from '@service/trpc';
import { findWebinar, loadSessions, webinarErrors } from '@service/webinars';
import type { z } from 'zod';
import type { ChatMessageOutput, ListMessagesInput } from './schemas.ts';

// A session has no messages from before it was created, so partitions before it are not read.
const selectMessages = statement({
  name: 'attendees.list_chat_messages',
  text: `
    select e.id, e.registration_id, r.name, e.data ->> 'message' as text, e.occurred_at
    from (
      select id, registration_id, data, occurred_at from attendees.attendee_event
      where account_id = $1 and session_id = $2 and type = 'chat_response' and id < $3 and id >= $5
      order by id desc limit $4
    ) e
    left join attendees.registration r on r.account_id = $1 and r.id = e.registration_id
    order by e.id desc`,
  row: {
    id: column.id,
    registration_id: column.id,
    name: nullable(column.text),
    text: column.text,
    occurred_at: column.time,
  },
});

/** A page of the chat of a session, newest message first. Throws webinar_not_found, session_not_found. */
export async function listMessages(
  reader: AccountReader,
  { webinarId, sessionId, limit, cursor }: z.output<typeof ListMessagesInput>,
) {
  const { accountId, query } = reader;
  await findWebinar(reader, webinarId);
  const session = (await loadSessions(query, [{ accountId, id: sessionId }])).get(sessionId);
  if (session?.webinarId !== webinarId) throw webinarErrors.session_not_found();
  const scope = { list: 'chat_messages', accountId, filters: { sessionId } };
  const before = cursorId(cursor, scope) ?? highestId;
  const first = lowestIdSince(sessionId);
  const rows = await query(selectMessages, [accountId, sessionId, before, limit + 1, first]);
  return toPage(rows, {
    limit,
    scope,
    toItem: (row): z.input<typeof ChatMessageOutput> => ({
      id: row.id,
      registrationId: row.registration_id,
      name: row.name,
      text: row.text,
      sentAt: row.occurred_at.toISOString(),
    }),
  });
}
