import ICAL from 'ical.js';
import { expect, test } from 'vitest';
import { createMailsWorld } from './mails-world.ts';

test('a person who registers gets a mail with their link and a calendar file', async () => {
  await using mails = await createMailsWorld({ webinar: { title: 'Launch & more' } });
  const { world } = mails;
  const made = await world.create<{ id: string; joinUrl: string }>('/registrations', {
    name: 'Ada Lovelace',
    email: 'ada@example.com',
    timezone: 'Pacific/Auckland',
    sessionTime: world.webinar.sessionTime,
  });
  const [mail] = await mails.untilMails(1);
  const path = new URL(made.joinUrl).pathname;
  expect(mail).toMatchObject({
    to: 'ada@example.com',
    subject: 'You are registered: Launch & more',
    fromName: 'Test',
  });
  expect(mail!.text).toContain(`https://webinars.example.com${path}\n`);
  expect(mail!.text).toContain('New Zealand');
  expect(mail!.html).toContain(`<a href="https://webinars.example.com${path}">`);
  const calendar = new ICAL.Component(ICAL.parse(mail!.calendar!.content));
  const event = new ICAL.Event(calendar.getFirstSubcomponent('vevent')!);
  expect(event.startDate.toJSDate().toISOString()).toBe(world.webinar.sessionTime);
  expect(event.summary).toBe('Launch & more');
});
