import { expect, test } from 'vitest';
import { createWorld } from '../support/world.ts';
import { createMailsWorld } from './mails-world.ts';

test('the mails of a webinar are changed in part, and an edit of an earlier version is refused', async () => {
  await using world = await createWorld();
  const first = await world.call('GET /mails');
  expect(first.json.data).toMatchObject({ enabled: true, senderName: null, replyTo: null });
  expect(first.json.data.reminders.map((each: { minutesBefore: number }) => each.minutesBefore)).toEqual([
    1440, 60, 0,
  ]);
  expect(first.json.data.variables).toContainEqual(expect.objectContaining({ name: 'joinLink' }));
  const changed = await world.call('PATCH /mails', {
    replyTo: 'host@example.com',
    kinds: { missed: { subject: 'Sorry, {{name}}' } },
  });
  expect(changed.json.data).toMatchObject({
    replyTo: 'host@example.com',
    kinds: {
      missed: { subject: 'Sorry, {{name}}', text: first.json.data.kinds.missed.text },
      thank_you: first.json.data.kinds.thank_you,
    },
  });
  expect((await world.call('GET /mails')).json.data).toEqual(changed.json.data);
  const unknown = await world.call('PATCH /mails', { kinds: { missed: { text: '{{joinlink}}' } } });
  expect([unknown.status, unknown.json.issues]).toEqual([
    422,
    [{ path: 'kinds.missed.text', message: 'There is no variable {{joinlink}}.' }],
  ]);
});

test('the mails of a person are listed, and one is sent again at most five times a day', async () => {
  await using mails = await createMailsWorld();
  const { world } = mails;
  const id = await world.register();
  await mails.untilMails(1);
  const answers = await Promise.all(
    Array.from({ length: 8 }, () => world.call(`POST /registrations/${id}/mails/confirmation/send`)),
  );
  const accepted = answers.filter(({ status }) => status === 202);
  const refused = answers.filter(({ status }) => status === 429).map(({ json }) => json.code);
  expect([accepted.length, refused]).toEqual([5, Array.from({ length: 3 }, () => 'mail_limit_reached')]);
  await mails.untilMails(6);
  await mails.untilSent();
  const listed = (await world.call(`GET /registrations/${id}/mails?limit=2`)).json;
  expect(listed.pagination.hasMore).toBe(true);
  expect(listed.data[0]).toMatchObject({
    kind: 'confirmation',
    status: 'sent',
    sender: 'installation',
    to: 'ada@example.com',
  });
  const early = await world.call(`POST /registrations/${id}/mails/thank_you/send`);
  expect([early.status, early.json.code]).toEqual([409, 'mail_not_suitable']);
});

test('another workspace neither reads nor sends', async () => {
  await using world = await createWorld();
  await using other = await world.neighbour();
  const id = await world.register();
  const at = `/webinars/${world.webinar.id}`;
  for (const route of [
    `GET ${at}/mails`,
    `PATCH ${at}/mails`,
    `GET ${at}/registrations/${id}/mails`,
    `POST ${at}/registrations/${id}/mails/confirmation/send`,
  ])
    expect((await other.rest(route, route.startsWith('PATCH') ? {} : undefined)).status, route).toBe(404);
});
