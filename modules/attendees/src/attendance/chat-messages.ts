import { column, lowestIdSince, statement, type AccountReader } from '@service/database';

interface Attendee {
  registrationId: string;
  sessionId: string;
}

/** Limits of what is read for one attendee: messages, newest first, and characters of all of them. */
const messagesMax = 50;
const messageCharactersMax = 50_000;

// An attendee has no messages from before the registration, so partitions before it are not read.
const selectMessages = statement({
  name: 'attendees.select_chat_messages',
  text: `
    select attendee.registration_id, json_agg(said.message order by said.id desc) as messages
    from json_to_recordset($2::json) as attendee (registration_id uuid, session_id uuid, first_id uuid)
    cross join lateral (
      select e.id, e.data ->> 'message' as message,
        sum(length(e.data ->> 'message')) over (order by e.id desc) as characters
      from attendees.attendee_event e
      where e.account_id = $1 and e.registration_id = attendee.registration_id and e.id >= attendee.first_id
        and e.session_id = attendee.session_id and e.type = 'chat_response'
      order by e.id desc limit ${messagesMax}
    ) said
    where said.characters <= $3
    group by attendee.registration_id`,
  row: { registration_id: column.id, messages: column.json<string[]>() },
});

interface ReadOptions {
  /** Per attendee. Older messages are left out. */
  charactersMax?: number;
}

/** The newest 50 chat messages of each attendee in their session, newest first, by registration id. */
export async function chatMessages(
  { query, accountId }: Pick<AccountReader, 'query' | 'accountId'>,
  attendees: readonly Attendee[],
  { charactersMax = messageCharactersMax }: ReadOptions = {},
): Promise<Map<string, string[]>> {
  if (attendees.length === 0) return new Map();
  const wanted = attendees.map(({ registrationId, sessionId }) => ({
    registration_id: registrationId,
    session_id: sessionId,
    first_id: lowestIdSince(registrationId),
  }));
  const rows = await query(selectMessages, [accountId, JSON.stringify(wanted), charactersMax]);
  return new Map(rows.map((row) => [row.registration_id, row.messages]));
}
