import { defineEntity, p } from '@mikro-orm/postgresql';

/** A message that another one answers, as it was when it was answered. */
export interface QuotedMessage {
  id: string;
  name: string;
  /** The beginning of the text. */
  text: string;
  /** Its author, in messages of the host. Null for the host. In a private chat others do not see the quote. */
  registrationId?: string | null;
}

/** A message of the host. The messages of attendees are events. */
export const PresenterMessage = defineEntity({
  name: 'PresenterMessage',
  tableName: 'presenter_message',
  schema: 'attendees',
  properties: {
    accountId: p.uuid().primary(),
    sessionId: p.uuid().primary(),
    id: p.uuid().primary(),
    name: p.text(),
    text: p.text(),
    replyTo: p.json<QuotedMessage>().nullable(),
    sentAt: p.datetime(3),
  },
});

/** A message that attendees do not see any more. */
export const HiddenMessage = defineEntity({
  name: 'HiddenMessage',
  tableName: 'hidden_message',
  schema: 'attendees',
  properties: {
    accountId: p.uuid().primary(),
    sessionId: p.uuid().primary(),
    messageId: p.uuid().primary(),
    hiddenAt: p.datetime(3),
  },
});
