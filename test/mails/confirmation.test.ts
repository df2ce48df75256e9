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

test('nothing is confirmed twice, against the wish of the caller, or by a webinar whose mails are switched off', async () => {
  await using mails = await createMailsWorld();
  const { world } = mails;
  await world.register('quiet@example.com', { suppressConfirmation: true });
  await world.register('ada@example.com');
  await world.register('ada@example.com');
  const { sessionTime } = world.webinar;
  await world.call('POST /registrations/bulk', {
    registrations: [
      { name: 'Bob', email: 'bob@example.com', sessionTime },
      { name: 'Eve', email: 'eve@example.com', sessionTime, suppressConfirmation: true },
    ],
  });
  await mails.untilSent();
  await world.call('PATCH /mails', { kinds: { confirmation: { enabled: false } } });
  await world.register('kind-off@example.com');
  await world.call('PATCH /mails', { enabled: false, kinds: { confirmation: { enabled: true } } });
  await world.register('all-off@example.com');
  await mails.untilSent();
  expect((await mails.mails()).map(({ to }) => to)).toEqual(['ada@example.com', 'bob@example.com']);
});

test('a webinar that is older than mails sends none until somebody switches them on', async () => {
  await using mails = await createMailsWorld();
  const { world } = mails;
  await mails.sql(`update mails.introduction set first_webinar_id = 'ffffffff-0000-7000-8000-000000000000'`);
  expect((await world.call('GET /mails')).json.data.enabled).toBe(false);
  await world.register('before@example.com');
  await world.call('PATCH /mails', { enabled: true });
  await world.register('after@example.com');
  expect((await mails.untilMails(1)).map(({ to }) => to)).toEqual(['after@example.com']);
});

test('an address gets twenty mails of a workspace in a day', async () => {
  await using mails = await createMailsWorld();
  const { world, sql } = mails;
  const id = await world.register('victim@example.com');
  await mails.untilMails(1);
  // Others of this day, so that no limit of an hour ends the test.
  await sql(
    `insert into mails.mail (account_id, id, webinar_id, session_id, registration_id, kind, minutes, purpose, to_address, data, status)
     select account_id, (substr(id::text, 1, 24) || lpad(to_hex(n), 12, '0'))::uuid, webinar_id, session_id, registration_id, 'changed',
       minutes, purpose, to_address, data, 'sent'
     from mails.mail, generate_series(1, 19) n`,
  );
  await world.call(`POST /registrations/${id}/mails/confirmation/send`);
  await mails.untilSent();
  const rows = await sql('select status, reason from mails.mail order by id desc limit 1');
  expect(rows).toEqual([{ status: 'suppressed', reason: 'too_many' }]);
  expect(await mails.mails()).toHaveLength(1);
});
