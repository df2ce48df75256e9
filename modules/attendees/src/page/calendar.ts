// Calendar files, RFC 5545 and RFC 5546. Mail programs show an invitation with one event as such.

interface CalendarEvent {
  /** The same in every file of one registration, so that a later file changes the event of an earlier one. */
  registrationId: string;
  /**
   * The time of the change that the file tells. Calendars ignore a file of an earlier change. For a mail it is the time of the queueing:
   * a provider that is given a mail again compares the content.
   */
  changedAt: Date;
  title: string;
  startsAt: Date;
  endsAt: Date;
  joinLink: string;
  /** For a mail: whose answer it asks for. A file that a person downloads has neither. */
  invitation?: { organizer: Person; attendee: Person };
}

interface Person {
  name: string;
  address: string;
}

export interface Calendar {
  content: string;
  method: 'REQUEST' | 'CANCEL';
}

export const createCalendar = (event: CalendarEvent, { isCancelled = false } = {}): Calendar => {
  const method = isCancelled ? 'CANCEL' : 'REQUEST';
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Webinar service//EN',
    'CALSCALE:GREGORIAN',
    ...(event.invitation ? [`METHOD:${method}`] : []),
    'BEGIN:VEVENT',
    `UID:${event.registrationId}@webinar-service`,
    `SEQUENCE:${sequenceAt(event.changedAt)}`,
    `DTSTAMP:${calendarTime(event.changedAt)}`,
    `DTSTART:${calendarTime(event.startsAt)}`,
    `DTEND:${calendarTime(event.endsAt)}`,
    `SUMMARY:${escapeText(event.title)}`,
    `DESCRIPTION:${escapeText(`Join: ${event.joinLink}`)}`,
    `LOCATION:${escapeText(event.joinLink)}`,
    `URL:${event.joinLink}`,
    `STATUS:${isCancelled ? 'CANCELLED' : 'CONFIRMED'}`,
    ...(event.invitation ? invite(event.invitation) : []),
    'END:VEVENT',
    'END:VCALENDAR',
  ];
  return { content: lines.map((line) => `${fold(line)}\r\n`).join(''), method };
};

const invite = ({ organizer, attendee }: NonNullable<CalendarEvent['invitation']>): string[] => [
  `ORGANIZER;CN=${quote(organizer.name)}:mailto:${organizer.address}`,
  `ATTENDEE;CN=${quote(attendee.name)};ROLE=REQ-PARTICIPANT;PARTSTAT=ACCEPTED:mailto:${attendee.address}`,
];

const firstSequenceMs = Date.UTC(2026, 0, 1);

/** A later change has a greater number. It fits into 31 bits for 68 years. */
const sequenceAt = (time: Date): number => Math.max(0, Math.floor((time.getTime() - firstSequenceMs) / 1000));

/** `20261201T170000Z`. UTC needs no description of a zone, and every calendar shows it in the zone of its owner. */
export const calendarTime = (time: Date): string =>
  `${time.toISOString().slice(0, 19).replaceAll(/[-:]/gu, '')}Z`;

const escapeText = (text: string): string =>
  text
    .replaceAll(/[\\;,]/gu, (sign) => `\\${sign}`)
    .replaceAll(/\r\n|[\p{Cc}\u2028\u2029]/gu, String.raw`\n`);

/** A quoted parameter has no escapes, so it may contain neither a quote nor a line end. */
const quote = (text: string): string => `"${text.replaceAll(/["\p{Cc}\u2028\u2029]+/gu, ' ').trim()}"`;

const lineBytesMax = 75;

/** Lines of at most 75 octets; a further line begins with a space (RFC 5545, 3.1). No character is cut. */
function fold(line: string): string {
  const parts: string[] = [];
  let part = '';
  let bytes = 0;
  for (const character of line) {
    const size = Buffer.byteLength(character);
    if (bytes + size > lineBytesMax) {
      parts.push(part);
      [part, bytes] = ['', 1];
    }
    part += character;
    bytes += size;
  }
  return [...parts, part].join('\r\n ');
}
