import { id, instant, pageInput, storable } from '@service/trpc';
import { z } from 'zod';
import { mailStatuses, suppressionReasons } from '../entities.ts';
import { mailKinds, purposes, textKinds } from '../content/mail-kinds.ts';

const nullableText = () => z.string().nullable();

export const mailStatus = z.enum(mailStatuses).meta({
  id: 'MailStatus',
  description:
    '`queued` until a provider has taken the mail. `uncertain`: the answer of the provider was lost. `suppressed`: the ' +
    'workspace does not write to this address. `too_late`: the mail was of no use any more. `failed` with the reason ' +
    '`backlog_full`: too many mails of the workspace were waiting.',
});

export const MailOutput = z
  .object({
    id: id('mail'),
    registrationId: id('registration'),
    sessionId: id('session'),
    kind: z
      .enum([...mailKinds, 'rule'])
      .meta({ id: 'MailKind', description: 'The occasion of the mail. `rule`: an automation rule sent it.' }),
    minutesBefore: z
      .number()
      .int()
      .nullable()
      .describe('Of a reminder: minutes before the start of the session.'),
    rule: z
      .object({ id: id('rule'), name: z.string().describe('The name of the rule at that time.') })
      .meta({ id: 'RuleOfMail' })
      .nullable()
      .describe('Of a mail of an automation rule (`kind` is `rule`): that rule.'),
    to: z.string().meta({ description: 'The e-mail address that it was sent to.', format: 'email' }),
    status: mailStatus,
    reason: nullableText().describe('Why the mail was not sent, or the last failure of a queued one.'),
    queuedAt: instant(),
    sentAt: instant().nullable().describe('The time at which a provider took the mail. Null before.'),
    sender: z
      .enum(['installation', 'connection'])
      .meta({ id: 'MailSender' })
      .nullable()
      .describe(
        'The sender of the installation, or a connection of the workspace. Null before the first attempt.',
      ),
    connectionId: z.uuid().nullable().describe('The connection that sent it. Null if no connection did.'),
    attempts: z.number().int().describe('Attempts to send it so far.'),
    note: nullableText().describe(
      'Why the mail left through the installation although the workspace has a connection. Null for other mails.',
    ),
  })
  .meta({ id: 'Mail' });

const ofRegistration = { webinarId: id('webinar'), registrationId: id('registration') };

export const ListMailsInput = z.strictObject({ ...ofRegistration, ...pageInput });

export const SendMailInput = z.strictObject({
  ...ofRegistration,
  mailKind: z
    .enum(['confirmation', 'reminder', 'missed', 'thank_you'])
    .meta({ id: 'PersonalMailKind' })
    .describe('`reminder` is the next one, or the last one if the session has started.'),
});

/** A text that is not saved yet. */
const draft = z.strictObject({ subject: z.string().max(200), text: z.string().max(10_000) });

const whichMail = {
  webinarId: id('webinar'),
  kind: z.enum([...textKinds, 'reminder']),
  /** Of a reminder. */
  minutesBefore: z.int().min(0).optional(),
  draft: draft.optional(),
};

const whichRuleMail = {
  webinarId: id('webinar'),
  kind: z.literal('rule'),
  purpose: z.enum(purposes),
  draft,
};

/** A mail as one person would get it. Without a registration the variables have their samples. */
export const PreviewMailInput = z.discriminatedUnion('kind', [
  z.strictObject({ ...whichMail, registrationId: id('registration').optional() }),
  z.strictObject({ ...whichRuleMail, registrationId: id('registration').optional() }),
]);

export const MailPreview = z.object({ subject: z.string(), text: z.string(), html: z.string() });

export const TestMailInput = z.discriminatedUnion('kind', [
  z.strictObject(whichMail),
  z.strictObject(whichRuleMail),
]);

export const TestMailOutput = z.object({
  to: z.string(),
  /** The kind of `SendOutcome`. */
  outcome: z.string(),
  reason: nullableText(),
});

export const ListSuppressionsInput = z.strictObject({
  /** The beginning of an address, or its domain with or without the @. */
  q: storable(z.string().trim().toLowerCase().max(254)).optional(),
  /** The last address of the page before. */
  after: storable(z.string().max(254)).optional(),
  limit: z.int().min(1).max(100).default(50),
});

const address = z.string().trim().toLowerCase().max(254).pipe(z.email('Not an e-mail address.'));

export const AddSuppressionInput = z.strictObject({
  address,
  note: storable(z.string().trim().max(500)).nullable().default(null),
});

export const RemoveSuppressionInput = z.strictObject({ address });

export const SuppressionOutput = z.object({
  address: z.string(),
  reason: z.enum(suppressionReasons),
  addedAt: instant(),
  note: nullableText(),
});

export const MailCountsInput = z.strictObject({ days: z.int().min(1).max(90).default(30) });

const total = () => z.number().int();

/** Mails by the day on which they ended. */
export const MailCounts = z.object({
  sent: total(),
  bounced: total(),
  complained: total(),
  unsubscribed: total(),
  suppressed: total(),
  tooLate: total(),
  failed: total(),
  waiting: total(),
  waitingMax: total(),
});
