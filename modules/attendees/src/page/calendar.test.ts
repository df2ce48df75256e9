import ICAL from 'ical.js';
import { expect, test } from 'vitest';
import { createCalendar } from './calendar.ts';

const event = {
  registrationId: '01a1fa00-44e8-743f-b362-6e80fc279e81',
  changedAt: new Date('2026-01-01T00:00:00Z'),
  title: 'Launch',
  startsAt: new Date('2026-12-01T17:00:00Z'),
  endsAt: new Date('2026-12-01T18:00:00Z'),
  joinLink: 'https://example.com/room/t',
  invitation: {
    organizer: { name: 'Acme', address: 'hooks@example.com' },
    attendee: { name: 'Ada', address: 'ada@example.com' },
  },
};

/** The file as a calendar program reads it. */
function read(content: string): { method: unknown; event: ICAL.Event; component: ICAL.Component } {
  const calendar = new ICAL.Component(ICAL.parse(content));
  const component = calendar.getFirstSubcomponent('vevent')!;
  return { method: calendar.getFirstPropertyValue('method'), event: new ICAL.Event(component), component };
}

test('a calendar program reads the times around a change of clocks as they are', () => {
  for (const starts of ['2026-11-01T05:30:00Z', '2026-09-26T14:00:00Z', '2026-12-01T18:20:00Z']) {
    const startsAt = new Date(starts);
    const endsAt = new Date(startsAt.getTime() + 90 * 60_000);
    const found = read(createCalendar({ ...event, startsAt, endsAt }).content).event;
    expect([found.startDate.toJSDate(), found.endDate.toJSDate()]).toEqual([startsAt, endsAt]);
  }
});

test('a later file has the same UID and cancels the event', () => {
  const request = read(createCalendar(event).content);
  const cancel = read(
    createCalendar({ ...event, changedAt: new Date('2026-01-01T00:00:03Z') }, { isCancelled: true }).content,
  );
  expect([request.method, cancel.method]).toEqual(['REQUEST', 'CANCEL']);
  expect(cancel.event.uid).toBe(request.event.uid);
  expect([request.event.sequence, cancel.event.sequence]).toEqual([0, 3]);
  expect(cancel.component.getFirstPropertyValue('status')).toBe('CANCELLED');
});

test('texts with every special character arrive unchanged, in lines of at most 75 octets', () => {
  const title = `${'Größe; 日本語, \\ 🎉 '.repeat(12)}end`;
  const { content } = createCalendar({
    ...event,
    title,
    joinLink: `https://example.com/room/${'a'.repeat(200)}`,
  });
  const found = read(content).event;
  expect(found.summary).toBe(title);
  expect(found.location).toBe(`https://example.com/room/${'a'.repeat(200)}`);
  for (const line of content.split('\r\n')) expect(Buffer.byteLength(line), line).toBeLessThanOrEqual(75);
});

test('no name and no title adds a line', () => {
  const evil = 'Ada"\r\nATTACH:https://evil.example\u2028END:VEVENT';
  const { content } = createCalendar({
    ...event,
    title: evil,
    invitation: {
      organizer: { name: evil, address: 'hooks@example.com' },
      attendee: { name: evil, address: 'ada@example.com' },
    },
  });
  const { component } = read(content);
  expect(component.getFirstProperty('attach')).toBeNull();
  expect(content.match(/^(?:ATTACH|END:VEVENT)/gmu)).toEqual(['END:VEVENT']);
});
