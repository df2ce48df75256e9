// The mail of an automation rule as it is saved. The rules are in automations; its settings and its text follow the same limits as the
// mails of a webinar.
import { z } from 'zod';
import type { MailText } from './default-texts.ts';
import { purposes, recipients, type Purpose } from './mail-kinds.ts';
import { isPersonal, variablesIn } from './variables.ts';
import { textFields } from './webinar-mails.ts';

export const ruleMailFields = {
  to: z.enum(recipients).meta({
    id: 'EmailRecipients',
    description:
      '`attendee`: the person that the event is about. `members`: each member of the workspace, at most 20, owners first.',
  }),
  purpose: z.enum(purposes).meta({
    id: 'MailPurpose',
    description:
      '`service`: about the own registration of the person; it is also sent to people who have unsubscribed. `marketing`: everything ' +
      'else; it is not sent to people who have unsubscribed, and it has a link to unsubscribe.',
  }),
  subject: textFields.subject,
  text: textFields.text,
  attachCalendar: z
    .boolean()
    .describe('True attaches the session as a calendar file. Only in a mail to the attendee.'),
};

const RuleMail = z.object(ruleMailFields);

export type RuleMail = z.output<typeof RuleMail>;

/** The problems of a mail to members that its fields do not show one by one. */
export function problemsOfRuleMail({ to, purpose, attachCalendar, ...text }: RuleMail) {
  if (to === 'attendee') return [];
  const links = (['subject', 'text'] as const).flatMap((field) =>
    variablesIn(text[field])
      .filter(isPersonal)
      .map((name) => ({
        field,
        message: `{{${name}}} is personal to the attendee. A mail to members cannot contain it.`,
      })),
  );
  return [
    ...links,
    ...(purpose === 'marketing'
      ? [{ field: 'purpose', message: 'Mails to members are service mails.' }]
      : []),
    ...(attachCalendar ? [{ field: 'attachCalendar', message: 'Only in a mail to the attendee.' }] : []),
  ];
}

/** A marketing mail ends with the link to unsubscribe, also if its author left it out. */
export const withUnsubscribe = ({ subject, text }: MailText, purpose: Purpose): MailText =>
  purpose === 'service' || variablesIn(text).includes('unsubscribeLink')
    ? { subject, text }
    : { subject, text: `${text}\n\nUnsubscribe: {{unsubscribeLink}}` };
