import { idAt, idTime, type AccountReader } from '@service/database';

interface Attendee {
  registrationId: string;
  sessionId: string;
}

/** How many messages of one attendee are looked at. */
const messagesMax = 50;

/** Clocks of different machines agree to this. */
const clockSkewMs = 60_000;

// Nobody says anything before they registered, so partitions of the days before are left alone.
const selectMessages = {
  name: 'webinars.select_chat_messages',
  text: `
    select attendee.registration_id, array_agg(said.message order by said.id desc) as messages
    from json_to_recordset($2::json) as attendee (registration_id uuid, session_id uuid, first_id uuid)
    cross join lateral (
      select e.id, e.data ->> 'message' as message from webinars.attendee_event e
      where e.account_id = $1 and e.registration_id = attendee.registration_id and e.id >= attendee.first_id
        and e.session_id = attendee.session_id and e.type = 'chat_response'
      order by e.id desc limit ${messagesMax}
    ) said
    group by attendee.registration_id`,
};

/** What attendees have said in the chat of their session: the newest fifty messages of each, newest first, by registration id. */
export async function chatMessages(
  { query, accountId }: Pick<AccountReader, 'query' | 'accountId'>,
  attendees: readonly Attendee[],
): Promise<Map<string, string[]>> {
  if (attendees.length === 0) return new Map();
  const wanted = attendees.map(({ registrationId, sessionId }) => ({
    registration_id: registrationId,
    session_id: sessionId,
    first_id: idAt(new Date(idTime(registrationId).getTime() - clockSkewMs)),
  }));
  const rows = await query<{ registration_id: string; messages: string[] }>(selectMessages, [
    accountId,
    JSON.stringify(wanted),
  ]);
  return new Map(rows.map((row) => [row.registration_id, row.messages]));
}
