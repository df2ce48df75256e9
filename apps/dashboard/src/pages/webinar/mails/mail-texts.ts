// Names, times and changes of the e-mails of a webinar, as the page shows them.
import { formatPlural } from '../../../format.ts';
import type { WordStyle } from '../../../components/status.tsx';
import type { SentMail, WebinarMails } from '../../../trpc.ts';

type TextKind = keyof WebinarMails['kinds'];

/** An e-mail of a webinar with its settings. */
export interface MailSettings {
  /** In the URL: the kind, or `reminder-60`. */
  key: string;
  kind: TextKind | 'reminder';
  /** Of a reminder. */
  minutesBefore: number | undefined;
  name: string;
  /** The time of the sending. */
  when: string;
  enabled: boolean;
  subject: string;
  text: string;
}

export const kindNames: Record<SentMail['kind'], string> = {
  confirmation: 'Confirmation',
  changed: 'New time',
  cancelled: 'Cancellation',
  reminder: 'Reminder',
  missed: 'Missed',
  thank_you: 'Thank you',
  rule: 'Of a rule',
};

export const mailStatusStyles: Record<SentMail['status'], WordStyle> = {
  queued: { tone: 'info', isHollow: true, word: 'Waiting' },
  sent: { tone: 'good', word: 'Sent' },
  uncertain: { tone: 'warn', word: 'Uncertain' },
  bounced: { tone: 'bad', word: 'Bounced' },
  suppressed: { tone: 'quiet', isHollow: true, word: 'Suppressed' },
  too_late: { tone: 'quiet', isHollow: true, word: 'Too late' },
  failed: { tone: 'bad', word: 'Failed' },
};

/** Reasons of this service. Those of a provider are in its own words. */
const reasonTexts: Record<string, string> = {
  too_many: 'Too many e-mails went to this address lately.',
  backlog_full: 'Too many e-mails of the workspace were waiting, so it was not sent.',
  unsubscribed: 'The person has unsubscribed.',
  hard_bounce: 'The address does not exist.',
  soft_bounces: 'The mailbox refused several e-mails in a row.',
  complaint: 'The person marked an e-mail as spam.',
  by_hand: 'A member added the address to the suppressed ones.',
};

export const reasonText = (reason: string | null): string | null =>
  reason === null ? null : (reasonTexts[reason] ?? reason);

const kindTimes: Record<TextKind, string> = {
  confirmation: 'At once after the registration, with a calendar file',
  changed: 'At once when the session or the person moves to another time',
  cancelled: 'At once when the session or the registration is cancelled',
  missed: '15 minutes after the end, to people who did not come',
  thank_you: '15 minutes after the end, to people who came',
};

/** The e-mails in the order of the page. */
export function mailsOf({ kinds, reminders }: WebinarMails): MailSettings[] {
  const ofKind = (kind: TextKind): MailSettings => ({
    ...kinds[kind],
    key: kind,
    kind,
    minutesBefore: undefined,
    name: kindNames[kind],
    when: kindTimes[kind],
  });
  return [
    ...(['confirmation', 'changed', 'cancelled'] as const).map(ofKind),
    ...reminders.map((reminder) => ({
      ...reminder,
      key: `reminder-${reminder.minutesBefore}`,
      kind: 'reminder' as const,
      name: kindNames.reminder,
      when: timeOfReminder(reminder.minutesBefore),
    })),
    ...(['missed', 'thank_you'] as const).map(ofKind),
  ];
}

/** The input of the API that changes some fields of one e-mail. */
export const mailChange = (
  { reminders }: WebinarMails,
  { kind, minutesBefore }: Pick<MailSettings, 'kind' | 'minutesBefore'>,
  change: Partial<WebinarMails['reminders'][number]>,
) =>
  kind === 'reminder'
    ? {
        reminders: reminders.map((one) =>
          one.minutesBefore === minutesBefore ? { ...one, ...change } : one,
        ),
      }
    : { kinds: { [kind]: change } };

const minutesByUnit = { days: 1440, hours: 60, minutes: 1 };

export type TimeUnit = keyof typeof minutesByUnit;

export const timeUnits = [
  { value: 'minutes', label: 'Minutes' },
  { value: 'hours', label: 'Hours' },
  { value: 'days', label: 'Days' },
] as const;

export interface TimeBefore {
  amount: number | '';
  unit: TimeUnit;
}

/** In the largest unit that gives a whole number: 1440 is one day, 90 is 90 minutes. */
export function toTimeBefore(minutes: number): { amount: number; unit: TimeUnit } {
  const units = Object.keys(minutesByUnit) as TimeUnit[];
  const unit = units.find((one) => minutes > 0 && minutes % minutesByUnit[one] === 0) ?? 'minutes';
  return { amount: minutes / minutesByUnit[unit], unit };
}

/** NaN without an amount, which the service refuses. */
export const toMinutes = ({ amount, unit }: TimeBefore): number =>
  amount === '' ? Number.NaN : amount * minutesByUnit[unit];

/** "1 day before the start" */
export function timeOfReminder(minutes: number): string {
  if (minutes === 0) return 'At the start';
  const { amount, unit } = toTimeBefore(minutes);
  return `${formatPlural(amount, unit.slice(0, -1))} before the start`;
}

/** The field of the form that a path of the API is about: `text` for `reminders.1.text`. */
export const fieldOfPath = (path: string): string =>
  path === 'reminders' || path.endsWith('.minutesBefore') ? 'amount' : (path.split('.').at(-1) ?? path);
