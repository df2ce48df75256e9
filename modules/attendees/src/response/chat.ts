// The chat of a session as the host sees it. Attendees read it through the feed of the room.
import {
  type AccountReader,
  type AccountWriter,
  column,
  createId,
  highestId,
  lowestIdSince,
  nullable,
  type Query,
  statement,
} from '@service/database';
import { cursorId, toPage } from '@service/trpc';
import { findWebinar, loadSessions, type SessionInput, webinarErrors } from '@service/webinars';
import type { z } from 'zod';
import { HiddenMessage, PresenterMessage, type QuotedMessage } from '../entities/session-message.ts';
import { attendeeErrors } from '../errors.ts';
import type { ChatMessageOutput, HideMessageInput, ListMessagesInput, SendMessageInput } from './schemas.ts';

// A session has no messages from before it was created, so partitions before it are not read. Each part reads at most a page.
const selectPage = statement({
  name: 'attendees.list_chat_messages',
  text: `
    select e.id, e.registration_id as "registrationId", coalesce(e.name, r.name) as name, e.text, e.at, e.role,
      h.message_id is not null as hidden
    from (
      (select id, registration_id, null as name, data ->> 'message' as text, occurred_at as at, 'attendee' as role
       from attendees.attendee_event
       where account_id = $1 and session_id = $2 and type = 'chat_response' and id < $3 and id >= $5
       order by id desc limit $4)
      union all
      (select id, null, name, text, sent_at, 'presenter' from attendees.presenter_message
       where account_id = $1 and session_id = $2 and id < $3
       order by id desc limit $4)
      order by id desc limit $4
    ) e
    left join attendees.registration r on r.account_id = $1 and r.id = e.registration_id
    left join attendees.hidden_message h on h.account_id = $1 and h.session_id = $2 and h.message_id = e.id
    order by e.id desc`,
  row: {
    id: column.id,
    registrationId: nullable(column.id),
    name: nullable(column.text),
    text: column.text,
    at: column.time,
    role: column.textOf<'attendee' | 'presenter'>(),
    hidden: column.boolean,
  },
});

/** A page of the chat of a session, newest message first. Throws webinar_not_found, session_not_found. */
export async function listMessages(
  reader: AccountReader,
  { limit, cursor, ...where }: z.output<typeof ListMessagesInput>,
) {
  const { accountId, query } = reader;
  const { id: sessionId } = await findSession(reader, where);
  const scope = { list: 'chat_messages', accountId, filters: { sessionId } };
  const before = cursorId(cursor, scope) ?? highestId;
  const first = lowestIdSince(sessionId);
  const rows = await query(selectPage, [accountId, sessionId, before, limit + 1, first]);
  return toPage(rows, {
    limit,
    scope,
    toItem: ({ at, ...message }): z.input<typeof ChatMessageOutput> => ({
      ...message,
      sentAt: at.toISOString(),
    }),
  });
}

/** Throws webinar_not_found, session_not_found. */
export async function findSession(
  reader: AccountReader,
  { webinarId, sessionId }: z.output<typeof SessionInput>,
) {
  await findWebinar(reader, webinarId);
  const sessions = await loadSessions(reader.query, [{ accountId: reader.accountId, id: sessionId }]);
  const session = sessions.get(sessionId);
  if (session?.webinarId !== webinarId) throw webinarErrors.session_not_found();
  return session;
}

/**
 * Hides a message from attendees, or shows it again. The same again changes nothing. Throws webinar_not_found, session_not_found,
 * message_not_found.
 */
export async function hideMessage(
  tx: AccountWriter,
  { messageId, hidden, ...where }: z.output<typeof HideMessageInput>,
): Promise<void> {
  const { id: sessionId } = await findSession(tx, where);
  const key = { accountId: tx.accountId, sessionId, messageId };
  if (!hidden) return void (await tx.em.nativeDelete(HiddenMessage, key));
  const known = await findMessages(tx, [{ sessionId, id: messageId }]);
  if (!known.has(messageId)) throw attendeeErrors.message_not_found();
  await tx.em.upsert(HiddenMessage, { ...key, hiddenAt: tx.now });
}

/** Writes a message of the host. Throws webinar_not_found, session_not_found, message_not_found, chat_off. */
export async function sendMessage(
  tx: AccountWriter,
  { text, replyTo, ...where }: z.output<typeof SendMessageInput>,
  name: string,
): Promise<{ id: string }> {
  const session = await findSession(tx, where);
  const webinar = await findWebinar(tx, where.webinarId);
  if (webinar.room.chatMode === 'off') throw attendeeErrors.chat_off();
  const known = await findMessages(tx, replyTo === undefined ? [] : [{ sessionId: session.id, id: replyTo }]);
  const answered = replyTo === undefined ? null : known.get(replyTo);
  if (!answered && replyTo !== undefined) throw attendeeErrors.message_not_found();
  const id = createId(tx.now);
  tx.em.create(PresenterMessage, {
    accountId: tx.accountId,
    sessionId: session.id,
    id,
    name,
    text,
    replyTo: answered ? { ...answered.quote, registrationId: answered.registrationId } : null,
    sentAt: tx.now,
  });
  await tx.em.flush();
  return { id };
}

/** A message of a session, for replies and for hiding. */
export interface SessionMessage {
  sessionId: string;
  /** Null for a message of the host. */
  registrationId: string | null;
  isHidden: boolean;
  quote: QuotedMessage;
}

/** Characters of a message that a reply shows. */
const quotedMax = 140;

const selectMessages = statement({
  name: 'attendees.select_session_messages',
  text: `
    select m.id, m.session_id as "sessionId", m.registration_id as "registrationId", m.name, left(m.text, ${quotedMax}) as text,
      exists (
        select from attendees.hidden_message h
        where h.account_id = $1 and h.session_id = m.session_id and h.message_id = m.id
      ) as "isHidden"
    from unnest($2::uuid[], $3::uuid[]) as k (session_id, id)
    cross join lateral (
      select e.id, e.session_id, e.registration_id, r.name, e.data ->> 'message' as text
      from attendees.attendee_event e
      join attendees.registration r on r.account_id = $1 and r.id = e.registration_id
      where e.account_id = $1 and e.id = k.id and e.session_id = k.session_id and e.type = 'chat_response'
      union all
      select p.id, p.session_id, null, p.name, p.text from attendees.presenter_message p
      where p.account_id = $1 and p.session_id = k.session_id and p.id = k.id
    ) m`,
  row: {
    id: column.id,
    sessionId: column.id,
    registrationId: nullable(column.id),
    name: column.text,
    text: column.text,
    isHidden: column.boolean,
  },
});

/** Finds messages by session and id, by the id. */
export async function findMessages(
  { query, accountId }: { query: Query; accountId: string },
  keys: readonly { sessionId: string; id: string }[],
): Promise<Map<string, SessionMessage>> {
  if (keys.length === 0) return new Map();
  const rows = await query(selectMessages, [
    accountId,
    keys.map(({ sessionId }) => sessionId),
    keys.map(({ id }) => id),
  ]);
  return new Map(
    rows.map(({ id, name, text, ...message }) => [id, { ...message, quote: { id, name, text } }]),
  );
}
