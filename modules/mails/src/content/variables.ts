// The variables of the texts of mails. One record has all that is known about each: for the API, the form and the rendering.
import { oneLine } from '@service/mail';
import type { MailFacts } from './mail-facts.ts';

interface Variable {
  description: string;
  sample: string;
  /** Anyone who opens the link acts as the attendee. */
  isPersonal?: boolean;
  /** Empty: the mail leaves out the line with the variable. */
  value: (facts: MailFacts) => string;
}

export const variables = {
  name: {
    description: 'Full name of the attendee.',
    sample: 'Ada Lovelace',
    value: ({ attendee }) => nameOf(attendee),
  },
  firstName: {
    description: 'First word of the name of the attendee.',
    sample: 'Ada',
    value: ({ attendee }) => nameOf(attendee).split(' ')[0]!,
  },
  email: {
    description: 'E-mail address of the attendee.',
    sample: 'ada@example.com',
    value: ({ attendee }) => attendee.email,
  },
  webinarTitle: {
    description: 'Title that attendees see.',
    sample: 'Product launch',
    value: ({ webinar }) => oneLine(webinar.title),
  },
  sessionTime: {
    description:
      'Start of the session, in the time zone of the attendee if it is known, else in that of the webinar.',
    sample: 'Tuesday, 1 December 2026 at 17:00 (Greenwich Mean Time)',
    value: ({ session, timezone }) => describeTime(session.startsAt, timezone),
  },
  formerTime: {
    description: 'Start of the session before it was changed. Only in the mail about a change.',
    sample: 'Monday, 30 November 2026 at 17:00 (Greenwich Mean Time)',
    value: ({ formerStartsAt, timezone }) => (formerStartsAt ? describeTime(formerStartsAt, timezone) : ''),
  },
  timeUntilStart: {
    description: 'Time from the sending of the mail until the session starts.',
    sample: '1 hour',
    value: ({ session, now }) => describeWait(session.startsAt.getTime() - now.getTime()),
  },
  joinLink: {
    description: 'Personal join link.',
    sample: 'https://example.com/room/AbC123',
    isPersonal: true,
    value: ({ links }) => links.join,
  },
  replayLink: {
    description: 'Personal link to the replay. Empty if the webinar has no replay.',
    sample: 'https://example.com/room/AbC123',
    isPersonal: true,
    value: ({ links }) => links.replay ?? '',
  },
  unsubscribeLink: {
    description: 'Link with which the attendee stops mails that are not about their own registration.',
    sample: 'https://example.com/unsubscribe/AbC123',
    isPersonal: true,
    value: ({ links }) => links.unsubscribe,
  },
  workspaceName: {
    description: 'Name of the workspace.',
    sample: 'Acme',
    value: ({ workspaceName }) => oneLine(workspaceName),
  },
} as const satisfies Record<string, Variable>;

export type VariableName = keyof typeof variables;

export const isPersonal = (name: string): boolean =>
  Object.hasOwn(variables, name) && (variables[name as VariableName] as Variable).isPersonal === true;

/** Anyone can register anyone under any name. A name with a link is left out, which keeps advertising out of our mails. */
function nameOf({ name }: MailFacts['attendee']): string {
  const line = oneLine(name);
  return /:\/\/|www\./iu.test(line) ? '' : line;
}

const pattern = /\{\{\s*([^{}]*?)\s*\}\}/gu;

/** The names of the variables in a text, each once. */
export const variablesIn = (text: string): string[] => [
  ...new Set([...text.matchAll(pattern)].map(([, name]) => name!)),
];

/** The variables in a text that do not exist. */
export const unknownVariables = (text: string): string[] =>
  variablesIn(text).filter((name) => !Object.hasOwn(variables, name));

/** Puts in the values, each once: a value that contains `{{name}}` stays as it is. */
export const fillIn = (text: string, facts: MailFacts): string =>
  text.replaceAll(pattern, (whole, name: string) => valueOf(name, facts) ?? whole);

/** Like fillIn, for a text of several lines. Leaves out a line if one of its variables has no value. */
export const fillInLines = (text: string, facts: MailFacts): string =>
  text
    .split(/\r\n|\r|\n/u)
    .filter((line) => [...line.matchAll(pattern)].every(([, name]) => valueOf(name!, facts) !== ''))
    .map((line) => fillIn(line, facts))
    .join('\n')
    .replaceAll(/\n{3,}/gu, '\n\n')
    .trim();

const valueOf = (name: string, facts: MailFacts): string | undefined =>
  Object.hasOwn(variables, name) ? variables[name as VariableName].value(facts) : undefined;

/** Puts in the samples, for a preview without a person. */
export const fillWithSamples = (text: string): string =>
  text.replaceAll(pattern, (whole, name: string) =>
    Object.hasOwn(variables, name) ? variables[name as VariableName].sample : whole,
  );

/** `Tuesday, 1 December 2026 at 17:00 (Greenwich Mean Time)`. */
function describeTime(time: Date, timezone: string): string {
  const parts = new Map(
    formatIn(timezone)
      .formatToParts(time)
      .map(({ type, value }) => [type, value]),
  );
  const part = (type: Intl.DateTimeFormatPartTypes): string => parts.get(type) ?? '';
  const day = `${part('weekday')}, ${part('day')} ${part('month')} ${part('year')}`;
  return `${day} at ${part('hour')}:${part('minute')} (${part('timeZoneName')})`;
}

const formats = new Map<string, Intl.DateTimeFormat>();

/** A format takes longer to make than to use. There are fewer than a thousand zones. */
function formatIn(timezone: string): Intl.DateTimeFormat {
  const known = formats.get(timezone);
  if (known) return known;
  const made = new Intl.DateTimeFormat('en-GB', {
    timeZone: timezone,
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    timeZoneName: 'long',
  });
  formats.set(timezone, made);
  return made;
}

const units = [
  { name: 'day', minutes: 1440, from: 2880 },
  { name: 'hour', minutes: 60, from: 60 },
  { name: 'minute', minutes: 1, from: 1 },
] as const;

/** `1 hour`, `24 hours`, `2 days`. Empty when the time has come. */
function describeWait(waitMs: number): string {
  const minutes = Math.round(waitMs / 60_000);
  const unit = units.find(({ from }) => minutes >= from);
  if (!unit) return '';
  const count = Math.round(minutes / unit.minutes);
  return `${count} ${unit.name}${count === 1 ? '' : 's'}`;
}
