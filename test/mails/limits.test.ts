import { startFake } from '@service/mail-senders/testing';
import { expect, test } from 'vitest';
import { createTestMember, testApi } from '../support/api.ts';
import { openDashboard, refusalOf } from '../support/dashboard.ts';
import { eventually } from '../support/eventually.ts';
import { testWorker } from '../support/worker.ts';
import { createWorld } from '../support/world.ts';
import { startSmtpInbox } from '../worker/smtp-inbox.ts';
import { connectFake, createMailsWorld } from './mails-world.ts';

test('beyond the limit of waiting mails a mail ends at once and a registration is not refused, in no other workspace', async () => {
  await using service = await testApi({ options: { mailBacklogMax: 3 } });
  const world = await createWorld({ beside: { service } });
  const other = await createWorld({ beside: { service } });
  const { pool } = service.db.database;
  const { sessionTime } = world.webinar;
  const ids = [await world.register('a@example.com')];
  const { data } = (
    await world.call('POST /registrations/bulk', {
      registrations: ['b', 'c', 'd'].map((name) => ({ name, email: `${name}@example.com`, sessionTime })),
    })
  ).json;
  ids.push(...data.map(({ registration }: { registration: { id: string } }) => registration.id));
  ids.push(await world.register('e@example.com'));
  await other.register('f@example.com');
  const outcomes = async () =>
    Promise.all(
      ids.map(async (id) => {
        const [mail] = (await world.call(`GET /registrations/${id}/mails`)).json.data;
        return [mail.status, mail.reason].join(' ').trim();
      }),
    );
  expect(await outcomes()).toEqual([
    'queued',
    'queued',
    'queued',
    'failed backlog_full',
    'failed backlog_full',
  ]);
  const dashboard = await openDashboard(service, world);
  const counts = () => dashboard.query('mails.counts', { days: 30 });
  const none = { bounced: 0, suppressed: 0, tooLate: 0, complained: 0, unsubscribed: 0 };
  expect(await counts()).toEqual({ ...none, sent: 0, failed: 2, waiting: 3, waitingMax: 3 });
  const { rows } = await pool.query(
    'select count(*)::int as count from mails.due group by account_id order by 1',
  );
  expect(rows).toEqual([{ count: 1 }, { count: 3 }]);

  await using _worker = await testWorker(service.db.url, { mail: 'mailbox', mailBacklogMax: 3 });
  await eventually('room again', async () => (await counts()).waiting === 0);
  ids.push(await world.register('g@example.com'));
  await eventually('its mail', async () => (await counts()).sent === 4);
  expect((await outcomes()).at(-1)).toBe('sent');
});

test('counts of mails follow sends, bounces, complaints and people who unsubscribe', async () => {
  await using fake = await startFake('postmark');
  await using mails = await createMailsWorld();
  const { world } = mails;
  const { accountId, service } = world;
  const connectionId = await connectFake(world, fake);
  const dashboard = await openDashboard(service, world);
  fake.inactive.add('gone@example.com');
  for (const name of ['ada', 'bob', 'eve', 'gone']) await world.register(`${name}@example.com`);
  await mails.untilSent();
  const { reportLinks, unsubscribeLinks } = service.api.service;
  const post = (url: string, body?: string) =>
    fetch(service.baseUrl + new URL(url).pathname, { method: 'POST', body });
  const report = (event: object, index: number) =>
    post(
      reportLinks.urlOf({ accountId, connectionId }),
      JSON.stringify({
        ...event,
        ID: 7 + index,
        Email: fake.mails[index]!.to[0],
        MessageID: fake.mails[index]!.id,
        BouncedAt: new Date().toISOString(),
      }),
    );
  const bounce = { RecordType: 'Bounce', Type: 'HardBounce' };
  for (const _again of [1, 2]) await report(bounce, 0);
  await report({ RecordType: 'SpamComplaint' }, 1);
  const address = fake.mails[2]!.to[0]!;
  for (const _again of [1, 2]) await post(unsubscribeLinks.urlOf({ accountId, address }));
  expect(await dashboard.query('mails.counts', {})).toMatchObject({
    sent: 2,
    bounced: 2,
    complained: 1,
    unsubscribed: 1,
    waiting: 0,
  });
  const aged = `update mails.day_count set day = (now() at time zone 'UTC')::date - $1::int`;
  await mails.sql(aged, [29]);
  expect((await dashboard.query('mails.counts', { days: 30 })).sent).toBe(2);
  await mails.sql(aged, [30]);
  expect((await dashboard.query('mails.counts', { days: 30 })).sent).toBe(0);
});

test('three mails within seven days that a full mailbox refuses stop its address, and older ones do not count', async () => {
  const replies: Record<string, [number, string]> = {
    full: [552, '5.2.2 Mailbox full'],
    late: [552, '5.2.2 Mailbox full'],
    busy: [450, '4.2.1 Mailbox busy'],
    gone: [550, '5.1.1 No such user'],
  };
  await using inbox = await startSmtpInbox({
    onRcptTo({ address }, _session, done) {
      const [responseCode, text] = replies[address.split('@')[0]!]!;
      done(Object.assign(new Error(text), { responseCode }));
    },
  });
  await using world = await createWorld();
  const { pool } = world.service.db.database;
  await using _worker = await testWorker(world.service.db.url, {
    mail: { smtpUrl: inbox.url, from: 'hooks@example.com' },
  });
  const suppressed = async () =>
    (await pool.query('select address, reason from mails.suppression order by address')).rows.map(
      ({ address, reason }) => `${address} ${reason}`,
    );
  const ids = new Map<string, string>();
  const bounce = async (...names: string[]) => {
    for (const name of names) {
      const id = ids.get(name);
      if (id) await world.create(`/registrations/${id}/mails/confirmation/send`);
      else ids.set(name, await world.register(`${name}@example.com`));
    }
    // A mail that could be tried again ends, because its next wait is longer than this.
    await eventually('an empty queue', async () => {
      await pool.query(
        `update mails.due set due_at = now(), expires_at = now() + interval '3 seconds' where claim_token is null`,
      );
      return (await pool.query('select from mails.due')).rowCount === 0;
    });
  };
  await bounce('full', 'late', 'busy', 'gone');
  await bounce('full', 'late', 'busy');
  expect(await suppressed()).toEqual(['gone@example.com hard_bounce']);
  const age = (name: string, by: string) =>
    pool.query(
      `update mails.provider_event set received_at = now() - interval '7 days' + $2::interval where address = $1`,
      [`${name}@example.com`, by],
    );
  await age('full', '1 minute');
  await age('late', '-1 second');
  await bounce('full', 'late', 'busy');
  expect(await suppressed()).toEqual([
    'busy@example.com soft_bounces',
    'full@example.com soft_bounces',
    'gone@example.com hard_bounce',
  ]);
  expect(inbox.received).toEqual([]);
});

test('a stranger with several workspaces and spellings of an address cannot fill a mailbox', async () => {
  await using mails = await createMailsWorld();
  const { world, sql } = mails;
  const others = [await world.neighbour(), await world.neighbour()];
  let registered = 0;
  const spell = (): string => {
    registered += 1;
    const name = registered % 2 ? 'vic.tim' : 'Victim';
    return `${name}+${registered}@${registered % 3 ? 'gmail.com' : 'GoogleMail.com'}`;
  };
  const register = async (count: number, fields: object): Promise<void> => {
    for (let index = 0; index < count; index += 1)
      for (const one of [world, ...others]) {
        const id = await one.register(spell(), { sessionTime: one.webinar.sessionTime, ...fields });
        if ('suppressConfirmation' in fields) await one.call(`POST /registrations/${id}/cancel`);
      }
  };
  await register(4, {});
  // Without a confirmation a registration still has a mail about its end.
  await register(8, { suppressConfirmation: true });
  await mails.untilSent();
  const rows = await sql(`select kind, status, count(*)::int from mails.mail group by 1, 2 order by 1, 2`);
  expect(rows).toEqual([
    { kind: 'cancelled', status: 'sent', count: 20 },
    { kind: 'cancelled', status: 'suppressed', count: 4 },
    { kind: 'confirmation', status: 'sent', count: 10 },
    { kind: 'confirmation', status: 'suppressed', count: 2 },
  ]);
  expect(await mails.mails()).toHaveLength(30);
});

test('a session that is moved again and again queues at most a hundred mails for a registration', async () => {
  await using world = await createWorld();
  const { pool } = world.service.db.database;
  const id = await world.register();
  await pool.query(
    `insert into mails.mail (account_id, id, webinar_id, session_id, registration_id, kind, purpose, to_address, status)
     select account_id, (substr(id::text, 1, 24) || lpad(to_hex(n), 12, '0'))::uuid, webinar_id, session_id, registration_id, 'changed',
       purpose, to_address, 'sent'
     from mails.mail, generate_series(1, 98) n`,
  );
  const count = async () => (await pool.query('select from mails.mail')).rowCount;
  await world.call(`POST /registrations/${id}/cancel`);
  expect(await count()).toBe(100);
  await pool.query(`update attendees.registration set status = 'registered'`);
  await world.call(`POST /registrations/${id}/cancel`);
  expect(await count()).toBe(100);
});

test('rules queue at most a hundred mails for a registration, which are no mails of the webinar', async () => {
  await using world = await createWorld();
  const { pool } = world.service.db.database;
  const ada = await world.attend();
  world.startSession();
  const email = { type: 'email', to: 'members', purpose: 'service', subject: 'Chat', text: 'A message.' };
  await world.create('/automations', {
    name: 'Chat',
    trigger: { type: 'chat_response', params: {} },
    fireMode: 'every_match',
    actions: [email, email],
  });
  const count = async (kind: string) =>
    (await pool.query('select from mails.mail where kind = $1', [kind])).rowCount;
  await ada.say('First');
  expect(await count('rule')).toBe(2);
  await pool.query(
    `insert into mails.mail (account_id, id, webinar_id, session_id, registration_id, kind, purpose, to_address, status)
     select account_id, (substr(id::text, 1, 24) || lpad(to_hex(n), 12, '0'))::uuid, webinar_id, session_id, registration_id, kind,
       purpose, to_address, 'sent'
     from (select * from mails.mail where kind = 'rule' limit 1) one, generate_series(1, 97) n`,
  );
  await ada.say('Hundredth');
  await ada.say('Too many');
  expect(await count('rule')).toBe(100);
  const outcomes = (await world.get('/executions')).map(
    ({ actions }: { actions: { status: string; reason: string | null }[] }) => actions,
  );
  const queued = { status: 'queued', reason: null };
  const excess = { status: 'suppressed', reason: 'too_many' };
  expect(outcomes).toMatchObject([
    [excess, excess],
    [queued, excess],
    [queued, queued],
  ]);
  await world.call(`POST /registrations/${ada.registrationId}/cancel`);
  expect(await count('cancelled')).toBe(1);
});

test('a preview is like the mail, and tests go to the member who asks, at most ten in a minute and a hundred in a day', async () => {
  await using service = await testApi({ options: { mail: 'mailbox' } });
  const world = await createWorld({ beside: { service } });
  const other = await createWorld({ beside: { service } });
  const mailbox = service.api.service.mailbox!;
  const webinarId = world.webinar.id;
  const dashboard = await openDashboard(service, world);
  const registrationId = await world.register('ada@example.com', { name: 'Ada Lovelace' });
  const draft = { subject: 'For {{firstName}}', text: 'Join: {{joinLink}}\n{{formerTime}}' };
  const preview = (more: object) =>
    dashboard.mutate('mails.preview', { webinarId, kind: 'confirmation', ...more });
  const joinUrl = (await world.get(`/registrations/${registrationId}`)).joinUrl;
  expect(await preview({ registrationId, draft })).toMatchObject({
    subject: 'For Ada',
    text: `Join: ${joinUrl}`,
    html: expect.stringContaining(joinUrl),
  });
  expect((await preview({})).subject).toBe('You are registered: Product launch');
  const foreign = await other.register('eve@example.com');
  expect(await refusalOf(preview({ registrationId: foreign }))).toBe('registration_not_found');
  expect(await refusalOf(preview({ webinarId: other.webinar.id }))).toBe('webinar_not_found');

  const send = (by = dashboard, id = webinarId) =>
    by.mutate('mails.sendTest', { webinarId: id, kind: 'reminder', minutesBefore: 60, draft });
  expect(await refusalOf(send(dashboard, other.webinar.id))).toBe('webinar_not_found');
  const answers = await Promise.all(Array.from({ length: 12 }, () => refusalOf(send())));
  expect(answers.filter((answer) => answer === 'accepted')).toHaveLength(10);
  expect(answers.filter((answer) => answer === 'mail_test_limit_reached')).toHaveLength(2);
  const sent = await mailbox.list();
  expect(sent.map(({ to }) => to)).toEqual(Array.from({ length: 10 }, () => world.email));
  expect(sent[0]).toMatchObject({
    subject: 'For Ada',
    text: 'Join: https://example.com/room/AbC123\nMonday, 30 November 2026 at 17:00 (Greenwich Mean Time)',
  });

  const member = await openDashboard(service, await createTestMember(service, world.accountId));
  expect(await refusalOf(send(member))).toBe('accepted');
  await service.db.database.pool.query(
    `insert into mails.test_mail select account_id, (substr(id::text, 1, 24) || lpad(to_hex(n), 12, '0'))::uuid, 'past', sender
     from (select * from mails.test_mail limit 1) one, generate_series(1, 89) n`,
  );
  expect(await refusalOf(send(member))).toBe('mail_test_limit_reached');
  expect(await refusalOf(send(await openDashboard(service, other), other.webinar.id))).toBe('accepted');
  expect((await mailbox.list()).length).toBe(12);
});

test('the address for reports is shown to members of the workspace of a connection only', async () => {
  await using service = await testApi();
  const world = await createWorld({ beside: { service } });
  const other = await createWorld({ beside: { service } });
  const [own, foreign] = [await openDashboard(service, world), await openDashboard(service, other)];
  for (const provider of ['postmark', 'brevo'] as const) {
    await using fake = await startFake(provider);
    const connectionId = await connectFake(world, fake, provider);
    await service.db.database.pool.query('update connections.connection set is_default = false');
    const { url } = await own.query('mails.reportUrl', { connectionId });
    expect(url).toContain(`/api/webhooks/mail/${connectionId}/`);
    expect(await foreign.query('mails.reportUrl', { connectionId })).toEqual({ url: null });
  }
});
