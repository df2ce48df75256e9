// The mails of automation rules, from their event to the mailbox.
import { fireDueTimers } from '@service/automations';
import ICAL from 'ical.js';
import { expect, test } from 'vitest';
import { createTestMember } from '../support/api.ts';
import { openDashboard } from '../support/dashboard.ts';
import { eventually } from '../support/eventually.ts';
import { createMailsWorld, type MailsWorld } from './mails-world.ts';

const email = {
  type: 'email',
  to: 'attendee',
  purpose: 'service',
  subject: 'Welcome {{firstName}}',
  text: 'You said {{email}}.\n\n{{joinLink}}',
};
const toMembers = { ...email, to: 'members', subject: 'New: {{name}}', text: '{{email}} registered.' };

/** A world whose webinar sends no mails of its own. */
async function createRulesWorld() {
  const mails = await createMailsWorld();
  await mails.world.call('PATCH /mails', { enabled: false });
  return mails;
}

const makeRule = ({ world }: MailsWorld, actions: object[], rest: object = {}) =>
  world.create('/automations', { name: 'Welcome', trigger: { type: 'registered' }, actions, ...rest });

const addressesOf = async (mails: MailsWorld): Promise<string[]> =>
  (await mails.mails()).map(({ to }) => to).toSorted();

test('a rule writes to the attendee, once, and lists and executions show the mail', async () => {
  await using mails = await createRulesWorld();
  const { world } = mails;
  await world.call('PATCH /mails', { senderName: 'Grace of Acme' });
  const rule = await makeRule(mails, [{ ...email, attachCalendar: true }]);
  const { id: registrationId, joinUrl } = await world.create('/registrations', {
    name: 'Ada\r\nBcc: eve@example.com',
    email: 'ada@example.com',
    sessionTime: world.webinar.sessionTime,
  });
  await world.register('ada@example.com');
  await mails.untilMails(1);
  await mails.untilSent();
  const [mail, ...others] = await mails.mails();
  expect(others).toEqual([]);
  expect(mail).toMatchObject({ to: 'ada@example.com', subject: 'Welcome Ada', fromName: 'Grace of Acme' });
  const path = new URL(joinUrl!).pathname;
  expect(mail!.text).toBe(`You said ada@example.com.\n\nhttps://webinars.example.com${path}`);
  const calendar = new ICAL.Component(ICAL.parse(mail!.calendar!.content));
  expect(calendar.getFirstSubcomponent('vevent')).toBeTruthy();

  const [listed] = await world.get(`/registrations/${registrationId}/mails`);
  expect(listed).toMatchObject({ kind: 'rule', status: 'sent', rule: { id: rule['id'], name: 'Welcome' } });
  const [execution] = await world.get('/executions');
  expect(execution).toMatchObject({
    outcome: 'matched',
    deliveryId: null,
    actions: [{ type: 'email', mailId: listed.id, status: 'sent', reason: null }],
  });
  const dashboard = await openDashboard(world.service, world);
  const explained = { webinarId: world.webinar.id, ruleId: rule['id'], registrationId };
  expect(await dashboard.query('automations.rules.explain', explained)).toMatchObject({
    kind: 'fired',
    executions: [{ actions: execution.actions }],
  });
});

test('a broken webhook keeps no mail back, and each member gets one even if the worker that had taken it died', async () => {
  await using mails = await createRulesWorld();
  await using other = await mails.world.neighbour();
  const { world, sql } = mails;
  await createTestMember(world.service, world.accountId);
  await mails.worker.close();
  const rule = await makeRule(mails, [toMembers, { type: 'webhook', url: 'http://127.0.0.1:9/' }]);
  await world.register('ada@example.com');
  const [waiting] = await sql<{ count: number }>('select count(*)::int from mails.mail');
  expect(waiting!.count).toBe(1);
  await sql(`update mails.due set claim_token = gen_random_uuid(), due_at = now() - interval '1 second'`);
  await using _worker = await mails.anotherWorker();
  const members = await sql<{ email: string }>(
    `select u.email from accounts."user" u join accounts.member m on m."userId" = u.id where m."organizationId" = $1 order by 1`,
    [world.accountId],
  );
  await mails.untilMails(members.length);
  await mails.untilSent();
  expect(await addressesOf(mails)).toEqual(members.map((member) => member.email));
  const execution = await eventually('the webhook to fail', async () => {
    const [newest] = await world.get(`/automations/${rule['id']}/executions`);
    return ['retrying', 'failure'].includes(newest.actions[0].status) && newest;
  });
  expect(execution.actions).toMatchObject([
    { type: 'webhook', deliveryId: execution.deliveryId },
    { type: 'email', status: 'sent' },
  ]);
  expect(await other.get('/executions')).toEqual([]);
});

test('marketing mails stop with unsubscribed, service mails only with a hard bounce', async () => {
  await using mails = await createRulesWorld();
  const { world, sql } = mails;
  await makeRule(mails, [email, { ...email, purpose: 'marketing', subject: 'Offer', text: 'Buy now.' }]);
  await sql(
    `insert into mails.suppression (account_id, address, reason, added_at) values
     ($1, 'left@example.com', 'unsubscribed', now()), ($1, 'gone@example.com', 'hard_bounce', now())`,
    [world.accountId],
  );
  for (const name of ['left', 'gone', 'stays']) await world.register(`${name}@example.com`);
  await mails.untilSent();
  const sent = (await mails.mails()).map(({ to, subject }) => `${to} ${subject}`).toSorted();
  expect(sent).toEqual([
    'left@example.com Welcome left',
    'stays@example.com Offer',
    'stays@example.com Welcome stays',
  ]);
  const offer = (await mails.mails()).find(({ subject }) => subject === 'Offer');
  expect(offer!.text).toMatch(/^Buy now\.\n\nUnsubscribe: https:\/\/webinars\.example\.com\/unsubscribe\//);
});

test('waiting mails of a rule that was deleted or switched off, and of an action that was removed or has another purpose, are never sent', async () => {
  await using mails = await createRulesWorld();
  const { world, sql } = mails;
  await mails.worker.close();
  const make = (subject: string) =>
    makeRule(mails, [
      { ...email, subject },
      { ...email, subject: `${subject} 2` },
    ]);
  const [gone, off, less, turned] = [
    await make('gone'),
    await make('off'),
    await make('less'),
    await make('turned'),
  ];
  await make('kept');
  await world.register('ada@example.com');
  await world.call(`DELETE /automations/${gone['id']}`);
  await world.call(`PATCH /automations/${off['id']}`, { enabled: false });
  // A mail of the former generation. Switching a rule off leaves such mails when it has more than one statement cancels (5,000).
  await sql(
    `with late as (
       update mails.mail set status = 'queued', reason = null where id = (select min(id::text)::uuid from mails.mail
         where data #>> '{rule,id}' = $1) returning account_id, id
     )
     insert into mails.due (account_id, mail_id, priority, due_at, expires_at, action_id, generation)
     select account_id, id, 1, now(), now() + interval '1 day', $2, 0 from late`,
    [off['id'], (off as unknown as { actions: { id: string }[] }).actions[0]!.id],
  );
  await world.call(`PATCH /automations/${off['id']}`, { enabled: true });
  const [, second] = (less as unknown as { actions: object[] }).actions;
  await world.call(`PATCH /automations/${less['id']}`, { actions: [second] });
  const [service, other] = (turned as unknown as { actions: object[] }).actions;
  const marketing = { ...service, purpose: 'marketing' };
  await world.call(`PATCH /automations/${turned['id']}`, { actions: [marketing, other] });
  expect(await sql('select status, count(*)::int from mails.mail group by 1 order by 1')).toEqual([
    { status: 'queued', count: 6 },
    { status: 'too_late', count: 4 },
  ]);
  await using _worker = await mails.anotherWorker();
  await mails.untilSent();
  const subjects = (await mails.mails()).map(({ subject }) => subject).toSorted();
  expect(subjects).toEqual(['kept', 'kept 2', 'less 2', 'turned 2']);
});

test('a timer writes to each attendee once, through a worker that dies and two that work at once', async () => {
  await using mails = await createRulesWorld();
  const { world } = mails;
  await makeRule(mails, [email], { trigger: { type: 'before_session', params: { offsetMinutes: 5 } } });
  for (const name of ['ada', 'bob', 'eve']) await world.register(`${name}@example.com`);
  const { database } = world.service.db;
  const { deliveries } = world.service.api.service;
  const options = { now: new Date(Date.parse(world.webinar.sessionTime) - 4 * 60_000), deliveries };
  const dying: typeof database.transaction = (work) =>
    database.transaction(async (tx) => {
      await work(tx);
      throw new Error('killed');
    });
  await expect(fireDueTimers({ query: database.query, transaction: dying }, options)).rejects.toThrow(
    'failed',
  );
  await Promise.all([fireDueTimers(database, options), fireDueTimers(database, options)]);
  await mails.untilMails(3);
  await mails.untilSent();
  expect(await addressesOf(mails)).toEqual(['ada@example.com', 'bob@example.com', 'eve@example.com']);
});

test('a member gets twenty mails a day of the rules of a workspace', async () => {
  await using mails = await createRulesWorld();
  const { world, sql } = mails;
  await makeRule(mails, [toMembers]);
  const { sessionTime } = world.webinar;
  const registrations = Array.from({ length: 25 }, (_, index) => ({
    name: `Ada ${index}`,
    email: `ada-${index}@example.com`,
    sessionTime,
  }));
  await world.call('POST /registrations/bulk', { registrations });
  await mails.untilSent();
  expect(await mails.mails()).toHaveLength(20);
  expect(await sql('select status, reason, count(*)::int from mails.mail group by 1, 2 order by 1')).toEqual([
    { status: 'sent', reason: null, count: 20 },
    { status: 'suppressed', reason: 'too_many', count: 5 },
  ]);
});
