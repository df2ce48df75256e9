import type { MailKind } from './mail-kinds.ts';

export interface MailText {
  subject: string;
  text: string;
}

export const defaultTexts: Readonly<Record<MailKind, MailText>> = {
  confirmation: {
    subject: 'You are registered: {{webinarTitle}}',
    text: `Hello {{firstName}},

you are registered for {{webinarTitle}}.

{{sessionTime}}

Your personal link to join:
{{joinLink}}

Please do not share the link. It joins under your name.

{{workspaceName}}`,
  },
  reminder: {
    subject: 'Reminder: {{webinarTitle}}',
    text: `Hello {{firstName}},

{{webinarTitle}} starts in {{timeUntilStart}}.

{{sessionTime}}

Your personal link to join:
{{joinLink}}

{{workspaceName}}`,
  },
  changed: {
    subject: 'New time: {{webinarTitle}}',
    text: `Hello {{firstName}},

the time of {{webinarTitle}} has changed.

New time: {{sessionTime}}
Former time: {{formerTime}}

Your personal link to join stays the same:
{{joinLink}}

{{workspaceName}}`,
  },
  cancelled: {
    subject: 'Cancelled: {{webinarTitle}}',
    text: `Hello {{firstName}},

your registration for {{webinarTitle}} on {{sessionTime}} was cancelled.

{{workspaceName}}`,
  },
  missed: {
    subject: 'You missed {{webinarTitle}}',
    text: `Hello {{firstName}},

we missed you at {{webinarTitle}}.

Watch the replay: {{replayLink}}

{{workspaceName}}

Unsubscribe: {{unsubscribeLink}}`,
  },
  thank_you: {
    subject: 'Thank you for joining {{webinarTitle}}',
    text: `Hello {{firstName}},

thank you for joining {{webinarTitle}}.

Watch it again: {{replayLink}}

{{workspaceName}}

Unsubscribe: {{unsubscribeLink}}`,
  },
};
