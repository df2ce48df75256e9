import ICAL from 'ical.js';
import { expect, test } from 'vitest';
import { codeOf, inMinutes } from '../support/api.ts';
import { createWorld } from '../support/world.ts';
import { createMailsWorld, type MailsWorld } from './mails-world.ts';

/** The mails of a kind, which the subject names. */
const ofKind = async ({ mails }: MailsWorld, start: string) =>
  (await mails()).filter(({ subject }) => subject.startsWith(start));

const calendarOf = (content: string) => {
  const calendar = new ICAL.Component(ICAL.parse(content));
  return {
    method: calendar.getFirstPropertyValue('method'),
    event: new ICAL.Event(calendar.getFirstSubcomponent('vevent')!),
  };
};

test('a reminder goes to everybody who registered before its time, once', async () => {
  await using mails = await createMailsWorld({ sessionTime: inMinutes(20) });
  const { world, sql } = mails;
  const early = await world.register('early@example.com');
  const gone = await world.register('gone@example.com');
  await sql(
    `update attendees.registration set registered_at = now() - interval '1 hour' where id = any($1)`,
    [[early, gone]],
  );
  await world.register('late@example.com');
  await world.call(`POST /registrations/${gone}/cancel`);
  await world.call('PATCH /mails', {
    reminders: [
      { minutesBefore: 25, subject: 'Reminder of {{name}}', text: '{{timeUntilStart}}' },
      { minutesBefore: 5 },
    ],
  });
  await mails.untilQuiet();
  const reminders = await ofKind(mails, 'Reminder');
  expect(reminders.map(({ to, subject }) => [to, subject])).toEqual([
    ['early@example.com', 'Reminder of early'],
  ]);
  expect(reminders[0]!.text).toMatch(/^(?:19|20|21) minutes$/);
  const [timer] = await sql<{ due_at: Date }>(`select due_at from mails.session_timer where kind = 'plan'`);
  expect(timer!.due_at.toISOString()).toBe(
    new Date(Date.parse(world.webinar.sessionTime) - 5 * 60_000).toISOString(),
  );
});

test('after a session those who came are thanked, those who did not get another mail, and those who did not agree get none', async () => {
  const registrationForm = { consentText: 'Send me offers.' };
  await using mails = await createMailsWorld({ webinar: { replay: { enabled: true }, registrationForm } });
  const { world, sql } = mails;
  const consent = { given: true };
  const here = await world.register('here@example.com', { consent });
  await world.register('absent@example.com', { consent });
  await world.register('refused@example.com', { consent: { given: false } });
  const unasked = await world.register('unasked@example.com');
  await mails.untilSent();
  const start = `now() - interval '2 hours'`;
  await sql(`update attendees.registration set registered_at = ${start}`);
  await sql(
    `update webinars.session set status = 'ended', starts_at = ${start}, ends_at = now() - interval '1 hour', actual_ended_at = now() - interval '1 hour'
     where starts_at = $1`,
    [world.webinar.sessionTime],
  );
  await sql(
    `insert into attendees.attendance (account_id, registration_id, session_id, webinar_id, visits, first_visit_at, first_joined_at)
     select account_id, id, session_id, webinar_id, '[]', ${start}, ${start} from attendees.registration where id = $1`,
    [here],
  );
  await sql(`update mails.session_timer set due_at = now() - interval '1 minute', done_until = ${start}`);
  await mails.untilQuiet();
  const [thanked] = await ofKind(mails, 'Thank you');
  const [missed] = await ofKind(mails, 'You missed');
  expect([thanked?.to, missed?.to]).toEqual(['here@example.com', 'absent@example.com']);
  expect(missed!.text).toContain('Watch the replay: https://webinars.example.com/room/');
  expect(missed!.unsubscribeUrl).toMatch(/^https:\/\/webinars\.example\.com\/unsubscribe\//);
  expect((await ofKind(mails, 'You are registered')).length).toBe(4);
  const unsent = await sql(
    `select to_address as to, reason from mails.mail where status = 'suppressed' order by 1`,
  );
  const reason = 'no_consent';
  expect(unsent).toEqual([
    { to: 'refused@example.com', reason },
    { to: 'unasked@example.com', reason },
  ]);
  const shown = await world.get(`/registrations/${unasked}`);
  expect(shown.consent).toBeNull();
  expect(await sql('select kind from mails.session_timer')).toEqual([]);
});

test('a mail about a new time has both times, and their calendar follows', async () => {
  await using mails = await createMailsWorld({ sessionTime: inMinutes(120) });
  const { world, sql } = mails;
  await world.register();
  await mails.untilMails(1);
  const [session] = await sql<{ id: string }>('select id from webinars.session where starts_at = $1', [
    world.webinar.sessionTime,
  ]);
  const startsAt = inMinutes(240);
  await world.call(`PATCH /sessions/${session!.id}`, { startsAt });
  const [confirmed, changed] = await mails.untilMails(2);
  expect(changed!.subject).toBe('New time: Launch');
  expect(changed!.text).toMatch(/New time: .*\nFormer time: /);
  const before = calendarOf(confirmed!.calendar!.content);
  const after = calendarOf(changed!.calendar!.content);
  expect(after.event.startDate.toJSDate().toISOString()).toBe(startsAt);
  expect(after.event.uid).toBe(before.event.uid);
  expect(after.event.sequence).toBeGreaterThanOrEqual(before.event.sequence);
});

test('a cancelled registration and a cancelled session are taken out of the calendar', async () => {
  await using mails = await createMailsWorld({ sessionTime: inMinutes(120) });
  const { world, sql } = mails;
  const id = await world.register('leaves@example.com');
  await world.register('stays@example.com');
  await mails.untilMails(2);
  await world.call(`POST /registrations/${id}/cancel`);
  await mails.untilMails(3);
  const [session] = await sql<{ id: string }>('select id from webinars.session where starts_at = $1', [
    world.webinar.sessionTime,
  ]);
  await world.call(`POST /sessions/${session!.id}/cancel`);
  await mails.untilMails(4);
  const cancelled = await ofKind(mails, 'Cancelled');
  expect(cancelled.map(({ to }) => to)).toEqual(['leaves@example.com', 'stays@example.com']);
  for (const { calendar } of cancelled) expect(calendarOf(calendar!.content).method).toBe('CANCEL');
  expect(await sql('select kind from mails.session_timer')).toEqual([]);
});

test('attendees of the coming sessions of an archived or deleted webinar get the mail about a cancelled session if it is switched on', async () => {
  await using mails = await createMailsWorld({ sessionTime: inMinutes(120) });
  const { world, sql } = mails;
  const beside = { beside: world, workspace: world, sessionTime: inMinutes(180) };
  const deleted = await createWorld(beside);
  const silent = await createWorld(beside);
  await silent.call('PATCH /mails', { kinds: { cancelled: { enabled: false } } });
  const gone = await world.register('gone@example.com');
  await world.register('archived@example.com');
  await deleted.register('deleted@example.com');
  await silent.register('silent@example.com');
  await mails.untilMails(4);
  await world.call(`POST /registrations/${gone}/cancel`);
  await mails.untilMails(5);
  await world.call('POST /archive');
  await deleted.call('DELETE ');
  await silent.call('POST /archive');
  await mails.untilQuiet();
  const cancelled = await ofKind(mails, 'Cancelled');
  expect(cancelled.map(({ to }) => to).toSorted()).toEqual([
    'archived@example.com',
    'deleted@example.com',
    'gone@example.com',
  ]);
  for (const { calendar } of cancelled) expect(calendarOf(calendar!.content).method).toBe('CANCEL');
  expect(await sql('select kind from mails.session_timer')).toEqual([]);
  for (const route of ['GET /mails', 'PATCH /mails'])
    for (const one of [world, deleted])
      expect(
        codeOf(await one.call(route, route.startsWith('PATCH') ? { enabled: false } : undefined)),
      ).toEqual([404, 'webinar_not_found']);
});
