import { createId } from '@service/database';
import { defineJob } from '@service/jobs';
import { sendMailJob } from '@service/mails';
import { expect } from 'vitest';
import { z } from 'zod';
import { openDashboard } from '../support/dashboard.ts';
import { addNotice, createOwnerWorld, createTeam, test } from './owner-world.ts';

const password = 'correct horse battery';

test('owners, and not members, get a mail that names the paused endpoint, the reason, the consequence and the page', async ({
  world,
}) => {
  const team = await createTeam(world);
  const { accounts } = world.service.api.service;
  const { accountId } = team;
  await accounts.addMember({ accountId, email: 'olga@example.com', password, role: 'owner' });
  await accounts.addMember({ accountId, email: 'max@example.com', password, role: 'member' });
  const endpointId = await team.addRule('To the\nCRM', 'http://127.0.0.1:9/secret-path?token=secret-query');
  await addNotice(world, team, { endpointId, kind: 'paused', reason: 'timeout' });
  await world.notify();

  const received = await world.untilReceived(2);
  expect(received.map(({ to }) => to.join(' ')).toSorted()).toEqual(
    [team.ownerEmail, 'olga@example.com'].toSorted(),
  );
  const { headers, text } = received[0]!;
  expect(headers).toMatch(/^Subject: Webhooks to 127\.0\.0\.1:9 are paused$/m);
  expect(headers).toMatch(/^From: Webinars <hooks@example\.com>$/m);
  expect(text).toContain(
    'Webhooks of the rule "To the CRM" to 127.0.0.1:9 have been paused since 2026-11-20 21:14 UTC',
  );
  expect(text).toContain('The last try was not answered within the time limit.');
  expect(text).toContain('Nothing is lost.');
  expect(text).toContain('we try it with one delivery');
  expect(text).toContain('What you can do:');
  const page = `${world.dashboardUrl}/w/${accountId}/webinars/${team.webinarId}/rule/`;
  expect(text.slice(text.indexOf(page) + page.length)).toMatch(/^[\da-f-]{36}\n/);
  expect(headers + text).not.toMatch(/secret-(path|query)/);
});

test('all notices of one workspace are one mail, without those of other workspaces', async ({ world }) => {
  const [mine, theirs] = [await createTeam(world), await createTeam(world)];
  const paused = await mine.addRule('Mine', 'http://127.0.0.1:1/');
  const recovered = await mine.addSubscription('http://127.0.0.1:2/');
  const other = await theirs.addRule('Theirs', 'http://127.0.0.1:3/');
  await addNotice(world, mine, { endpointId: paused, kind: 'paused', reason: 'connect' });
  await addNotice(world, theirs, { endpointId: other, kind: 'recovered' });
  await addNotice(world, mine, { endpointId: recovered, kind: 'recovered' });
  // A notice with the endpoint of another workspace is not mailed.
  await addNotice(world, theirs, { endpointId: paused, kind: 'paused', reason: 'dns' });
  await world.notify();

  const received = await world.untilReceived(2);
  expect(received).toHaveLength(2);
  const mailTo = (email: string) => received.find(({ to }) => to[0] === email)!;
  const [toMe, toThem] = [mailTo(mine.ownerEmail), mailTo(theirs.ownerEmail)];
  expect(toMe.headers).toMatch(/^Subject: Your webhooks: 1 paused, 1 sent again$/m);
  expect(toMe.text).toContain('of the rule "Mine" to 127.0.0.1:1 have been paused');
  expect(toMe.text).toContain('At the last try no connection could be made.');
  expect(toMe.text).toContain('of the subscription to 127.0.0.1:2 have been sent again');
  expect(toMe.text).not.toMatch(/Theirs|127\.0\.0\.1:3/);
  expect(toMe.text).not.toContain(theirs.accountId);
  expect(toThem.headers).toMatch(/^Subject: Webhooks to 127\.0\.0\.1:3 are sent again$/m);
  expect(toThem.text).not.toMatch(/Mine|127\.0\.0\.1:[12]|paused/);
  expect(toThem.text).not.toContain(mine.accountId);
});

test('a mail that the server refuses is tried again, and the others are sent in the meantime', async () => {
  const refusals: string[] = [];
  await using world = await createOwnerWorld({
    smtp: {
      onRcptTo({ address }, _session, done) {
        if (address !== 'busy@example.com' || refusals.length === 1) return done();
        refusals.push(address);
        return done(Object.assign(new Error('Try later'), { responseCode: 451 }));
      },
    },
  });
  const team = await createTeam(world);
  const { accountId } = team;
  const person = { email: 'busy@example.com', password, role: 'owner' as const };
  await world.service.api.service.accounts.addMember({ accountId, ...person });
  const endpointId = await team.addRule('Mine', 'http://127.0.0.1:1/');
  await addNotice(world, team, { endpointId, kind: 'paused', reason: 'http_status' });
  await world.notify();
  const received = await world.untilReceived(2);
  expect(received.map(({ to }) => to[0])).toEqual([team.ownerEmail, 'busy@example.com']);
  expect(refusals).toHaveLength(1);
});

test('only one mail is sent at a time, even to a slow mail server', async () => {
  let [open, openMax] = [0, 0];
  await using world = await createOwnerWorld({
    smtp: {
      onMailFrom(_address, _session, done) {
        open += 1;
        openMax = Math.max(openMax, open);
        setTimeout(() => {
          open -= 1;
          done();
        }, 300);
      },
    },
  });
  const team = await createTeam(world);
  const { accounts } = world.service.api.service;
  for (const name of ['ada', 'eve', 'ida'])
    await accounts.addMember({
      accountId: team.accountId,
      email: `${name}@example.com`,
      password,
      role: 'owner',
    });
  const endpointId = await team.addRule('Mine', 'http://127.0.0.1:1/');
  await addNotice(world, team, { endpointId, kind: 'paused' });
  await world.notify();
  expect(await world.untilReceived(4)).toHaveLength(4);
  expect(openMax).toBe(1);
});

test('a mail that could not be sent in time is given up', async ({ world }) => {
  const mail = { to: 'ada@example.com', subject: 'Late', text: 'Late' };
  await world.jobs.enqueueNow(sendMailJob, { ...mail, until: new Date(Date.now() - 1).toISOString() });
  await world.jobs.enqueueNow(sendMailJob, {
    ...mail,
    subject: 'In time',
    until: new Date(Date.now() + 3_600_000).toISOString(),
  });
  const received = await world.untilReceived(1);
  expect(received.map(({ headers }) => /^Subject: (.*)$/m.exec(headers)?.[1])).toEqual(['In time']);
});

test('without a mail server notices are marked as taken, and waiting mails are dropped', async () => {
  await using world = await createOwnerWorld({ sendsMail: false });
  const team = await createTeam(world);
  const endpointId = await team.addRule('Mine', 'http://127.0.0.1:1/');
  await addNotice(world, team, { endpointId, kind: 'paused' });
  expect(await world.untakenNotices()).toBe(1);
  await world.notify();
  await world.untilReceived(0);
  expect(world.inbox.received).toEqual([]);
});

test('no mail is sent about an endpoint that was deleted', async ({ world }) => {
  const team = await createTeam(world);
  const endpointId = await team.addRule('Mine', 'http://127.0.0.1:1/');
  await world.service.db.database.pool.query('delete from automations.rule where endpoint_id = $1', [
    endpointId,
  ]);
  await addNotice(world, team, { endpointId, kind: 'paused' });
  await addNotice(world, team, { endpointId: crypto.randomUUID(), kind: 'paused' });
  await world.notify();
  await world.untilReceived(0);
  expect(world.inbox.received).toEqual([]);
});

test('a member who switched the mail on gets it, and an owner who switched it off does not', async ({
  world,
}) => {
  const team = await createTeam(world);
  const { accountId } = team;
  const person = { accountId, email: 'max@example.com', password };
  await world.service.api.service.accounts.addMember({ ...person, role: 'member' });
  const asMax = await openDashboard(world.service, person);
  expect(await asMax.query('accounts.notifications.get')).toEqual({
    stopped: false,
    failed: false,
    weekly: false,
  });
  await asMax.mutate('accounts.notifications.change', { kind: 'stopped', isOn: true });
  const olga = { accountId, email: 'olga@example.com', password };
  await world.service.api.service.accounts.addMember({ ...olga, role: 'owner' });
  const asOlga = await openDashboard(world.service, olga);
  await asOlga.mutate('accounts.notifications.change', { kind: 'stopped', isOn: false });
  const endpointId = await team.addRule('Mine', 'http://127.0.0.1:9/');
  await addNotice(world, team, { endpointId, kind: 'paused', reason: 'timeout' });
  await world.notify();
  const received = await world.untilReceived(2);
  expect(received.map(({ to }) => to.join(' ')).toSorted()).toEqual(
    [team.ownerEmail, person.email].toSorted(),
  );
  expect(received[0]!.text).toContain(`${world.dashboardUrl}/w/${accountId}/settings/account`);
});

test('a member who wants it gets a mail once a day with the number of deliveries that failed for good', async ({
  world,
}) => {
  const team = await createTeam(world);
  const { accountId } = team;
  const person = { accountId, email: 'mia@example.com', password };
  await world.service.api.service.accounts.addMember({ ...person, role: 'member' });
  const asMia = await openDashboard(world.service, person);
  await asMia.mutate('accounts.notifications.change', { kind: 'failed', isOn: true });
  const endpointId = await team.addRule('Mine', 'http://127.0.0.1:9/');
  const dayMs = 86_400_000;
  const midnight = Math.floor(Date.now() / dayMs) * dayMs;
  const add = async (
    days: number,
    { redeliveryOf, endedAs = 'failure' }: { redeliveryOf?: string; endedAs?: 'failure' | null } = {},
  ): Promise<string> => {
    const id = createId(new Date(midnight - days * dayMs));
    await world.service.db.database.pool.query(
      `insert into deliveries.delivery
         (id, account_id, endpoint_id, event_type, is_refire, redelivery_of, attempts_max, created_at, ended_as)
       values ($1, $2, $3, 'registered', false, $4, 11, now(), $5)`,
      [id, accountId, endpointId, redeliveryOf, endedAs],
    );
    return id;
  };
  // The retries of the schedule [0, 1, 2] end within a day. So only the day before yesterday is counted.
  for (const days of [1.5, 2.5, 0.5]) await add(days);
  // Of a delivery and its redeliveries the last one counts: it failed, or it waits.
  const original = await add(1.4);
  for (const days of [1.3, 1.2]) await add(days, { redeliveryOf: original });
  await add(0.3, { redeliveryOf: await add(1.1), endedAs: null });
  const job = defineJob({ name: 'worker.notify_of_failures', payload: z.object({}) });
  await world.jobs.enqueueNow(job, {});
  await world.untilReceived(1);
  // A job may run twice.
  await world.jobs.enqueueNow(job, {});
  const received = await world.untilReceived(1);
  expect(received.map(({ to }) => to[0])).toEqual(['mia@example.com']);
  expect(received[0]!.headers).toMatch(/^Subject: 2 webhooks failed for good$/m);
});
