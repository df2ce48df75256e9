// Calendar files, RFC 5545 and RFC 5546. Mail programs show an invitation with one event as such.

interface CalendarEvent {
  /** The same in every file of one registration, so that a later file changes the event of an earlier one. */
  registrationId: string;
  /** Grows with every change, else calendars ignore the file. */
  sequence: number;
  title: string;
  startsAt: Date;
  endsAt: Date;
  joinLink: string;
  organizer: { name: string; address: string };
  attendee: { name: string; address: string };
  /** A provider that is given a mail again compares the content, so this is not the time of the sending. */
  queuedAt: Date;
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
    `METHOD:${method}`,
    'BEGIN:VEVENT',
    `UID:${event.registrationId}@webinar-service`,
    `SEQUENCE:${event.sequence}`,
    `DTSTAMP:${utc(event.queuedAt)}`,
    `DTSTART:${utc(event.startsAt)}`,
    `DTEND:${utc(event.endsAt)}`,
    `SUMMARY:${escapeText(event.title)}`,
    `DESCRIPTION:${escapeText(`Join: ${event.joinLink}`)}`,
    `LOCATION:${escapeText(event.joinLink)}`,
    `URL:${event.joinLink}`,
    `STATUS:${isCancelled ? 'CANCELLED' : 'CONFIRMED'}`,
    `ORGANIZER;CN=${quote(event.organizer.name)}:mailto:${event.organizer.address}`,
    `ATTENDEE;CN=${quote(event.attendee.name)};ROLE=REQ-PARTICIPANT;PARTSTAT=ACCEPTED:mailto:${event.attendee.address}`,
    'END:VEVENT',
    'END:VCALENDAR',
  ];
  return { content: lines.map((line) => `${fold(line)}\r\n`).join(''), method };
};

/** `20261201T170000Z`. UTC needs no description of a zone, and every calendar shows it in the zone of its owner. */
const utc = (time: Date): string => `${time.toISOString().slice(0, 19).replaceAll(/[-:]/gu, '')}Z`;

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
