/** The mails of a webinar that have a text of their own. A reminder has one for each time. */
export const textKinds = ['confirmation', 'changed', 'cancelled', 'missed', 'thank_you'] as const;

export type TextKind = (typeof textKinds)[number];

export const mailKinds = [...textKinds, 'reminder'] as const;

export type MailKind = (typeof mailKinds)[number];

/** With the mails of automation rules, whose text and purpose are in the rule. */
export type QueuedKind = MailKind | 'rule';

/** A service mail is about the person's own registration. A marketing mail can be unsubscribed from. */
export const purposes = ['service', 'marketing'] as const;

export type Purpose = (typeof purposes)[number];

/** A rule can write to the members of the workspace. */
export const recipients = ['attendee', 'members'] as const;

export type Recipient = (typeof recipients)[number];

/** Marketing mails have a link to unsubscribe and are not sent to people who used it. */
export const purposeOf = (kind: MailKind): Purpose =>
  kind === 'missed' || kind === 'thank_you' ? 'marketing' : 'service';

/** A confirmation leaves before reminders, and reminders before mails after the session. */
export const priorityOf = (kind: MailKind): number => priorities[kind];

const priorities: Record<MailKind, number> = {
  confirmation: 0,
  changed: 0,
  cancelled: 0,
  reminder: 1,
  missed: 2,
  thank_you: 2,
};
