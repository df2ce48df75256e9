// A workspace with as many rows as a picture needs, made through the service's own functions.
import { createLog } from '@service/log';
import { createKey as describeKey, toRecordedCall } from '../activity/activity-world.ts';
import { connect, createAttempt, registerClient, requestOf } from '../connectors/oauth-client.ts';
import { insertConnection } from '../connections/connection-rows.ts';
import { callRest, createTestAccount, createTestKey, testApi, type TestAccount } from '../support/api.ts';
import { openDashboard } from '../support/dashboard.ts';
import { createPublishedWebinar, scheduleAt, writeAs } from '../support/factories.ts';
import { callTool } from '../support/mcp.ts';
import { createAttendeePages } from './attendee-pages.ts';
import { connectTools } from './marketing-tools.ts';
import { openRooms } from './rooms.ts';
import { sellMany } from './revenue.ts';
import { createWebinar, CreateWebinarInput } from '@service/webinars';

export type LookRows = 0 | 1 | 200 | 1000;

export interface LookWorld extends AsyncDisposable {
  baseUrl: string;
  account: TestAccount;
  /** Values of the parameters in routes. */
  ids: Record<string, string>;
}

/** 200 letters without a place to break. */
const longName = 'Unbreakable'.repeat(19).slice(0, 200);
const ruleNameMax = 100;
const batch = 500;
/** No receiver listens there, so deliveries wait and then fail. */
const deadUrl = 'http://127.0.0.1:9/hooks/crm';

export async function createLookWorld(rows: LookRows): Promise<LookWorld> {
  const service = await testApi({ log: createLog('look', { level: 'silent' }) });
  const account = await createTestAccount(service);
  const { database } = service.db;
  const { accountId } = account;
  const sessionTime = new Date(Math.ceil(Date.now() / 3_600_000 + 26) * 3_600_000).toISOString();
  const title = rows > 1 ? longName : 'Launch of the spring collection';
  const webinar = await createPublishedWebinar(database, accountId, { sessionTime, title });
  const { key } = await createTestKey(service, accountId);
  const call = async (route: string, body: unknown) => {
    const { status, json, text } = await callRest(service, route, { key, body });
    if (status >= 300) throw new Error(`${route} answered ${status}: ${text}`);
    return json.data;
  };
  const at = `/webinars/${webinar.id}`;
  const rule = await call(`POST ${at}/automations`, {
    name: rows > 1 ? longName.slice(0, ruleNameMax) : 'To the CRM',
    trigger: { type: 'registered' },
    actions: [
      { type: 'webhook', url: deadUrl },
      {
        type: 'email',
        to: 'attendee',
        purpose: 'marketing',
        subject: rows > 1 ? longName.slice(0, 200) : 'Before {{webinarTitle}}, {{firstName}}',
        text: 'Hello {{firstName}},\n\nhere are three questions to think about.\n\n{{workspaceName}}',
      },
    ],
  });
  const ids: Record<string, string> = {
    workspaceId: accountId,
    webinarId: webinar.id,
    kind: 'rule',
    sourceId: rule.id,
    request: await requestOf(service, createAttempt(service, await registerClient(service))),
  };
  const owner = await openDashboard(service, account);
  const { baseUrl } = service;
  Object.assign(ids, await openRooms({ baseUrl, call, owner, rows, longName }));
  const old = { title: rows > 1 ? longName : 'Launch of last year', schedule: { onDemand: true } };
  const archived = await call('POST /webinars', old);
  ids['archivedId'] = archived.id;
  if (rows > 0) {
    await call(`POST /webinars/${archived.id}/publish`, {});
    await call(`POST /webinars/${archived.id}/interactions`, offer);
    await call(`POST /webinars/${archived.id}/registrations`, { name: longName, email: 'old@example.com' });
  }
  await call(`POST /webinars/${archived.id}/archive`, {});
  await using opened = new AsyncDisposableStack();
  if (rows > 0) {
    const tools = await connectTools(service, {
      accountId,
      longName: rows > 1 ? longName : undefined,
    });
    opened.use(tools.fake);
    ids['connectionId'] = tools.connectionId;
    await call(`PATCH ${at}/automations/${rule.id}`, {
      actions: [...rule.actions, { ...updateContact, connectionId: tools.connectionId }],
    });
    const subscription = await call(`POST ${at}/webhooks`, {
      url: deadUrl,
      eventTypes: ['registered', 'joined'],
    });
    ids['interactionId'] = (await call(`POST ${at}/interactions`, offer)).id;
    ids['invitationId'] = (await owner.mutate('accounts.invitations.create', newcomer)).id;
    const later = new Date(Date.parse(sessionTime) + 86_400_000).toISOString();
    if (rows > 1)
      await call(`PATCH ${at}`, {
        schedule: { recurrences: [sessionTime, later].flatMap((time) => scheduleAt(time).recurrences) },
      });
    for (let from = 0; from < rows; from += batch) {
      const registrations = Array.from({ length: Math.min(batch, rows - from) }, (_unused, index) => ({
        name: (from + index) % 50 === 7 ? longName : `Ada Lovelace ${from + index}`,
        email: `ada${from + index}@example.com`,
        sessionTime: (from + index) % 5 === 1 ? later : sessionTime,
      }));
      await call(`POST ${at}/registrations/bulk`, { registrations });
    }
    await callTool(service, key, 'list_webinars');
    await connect(service, owner);
    await service.api.service.activity.flush();
    const first = async (path: string): Promise<string> => (await call(`GET ${at}${path}`, undefined))[0].id;
    ids['subscriptionId'] = subscription.id;
    ids['mailConnectionId'] = await insertConnection(service, accountId);
    const refused = await insertConnection(service, accountId);
    await owner.mutate('connections.pause', { connectionId: await insertConnection(service, accountId) });
    await database.query({ text: refuseKey }, [accountId, refused, rows > 1 ? longName : 'Newsletter']);
    for (let index = 0; index < Math.min(rows, 120); index += 1)
      await owner.mutate('suppressions.add', {
        address: `gone${index}@example.com`,
        note: index % 50 === 7 ? longName : null,
      });
    for (const text of endMails) await database.query({ text }, [accountId]);
    ids['sessionId'] = await first('/sessions');
    ids['registrationId'] = await first('/registrations');
    ids['executionId'] = await first(`/automations/${rule.id}/executions`);
    ids['deliveryId'] = await first(`/automations/${rule.id}/deliveries`);
    ids['callId'] = (await owner.query('activity.list', { limit: 1 }))[0].id;
    await database.query({ text: attendAll }, [accountId, webinar.id, ids['interactionId']]);
    // Only what was before a purchase is credited with it.
    await database.query({ text: backdate }, [accountId]);
    ids['revenueEventId'] = await sellMany(service, account, {
      events: rows === 1 ? 120 : rows,
      buyers: rows,
    });
  }
  if (rows > 1) {
    await writeAs(database, accountId, async (tx) => {
      for (let index = 0; index < rows; index += 1) {
        const name = index % 50 === 7 ? longName : `Webinar ${index}`;
        await createWebinar(
          tx,
          CreateWebinarInput.parse({
            title: name,
            slug: `webinar-${index}`,
            schedule: scheduleAt(sessionTime),
          }),
        );
      }
    });
    const { activity } = service.api.service;
    const caller = describeKey('Landing page');
    for (let index = 0; index < rows; index += 1) {
      const made = { at: new Date(Date.now() - index * 60_000), key: caller, status: index % 9 ? 200 : 422 };
      activity.record(toRecordedCall({ ...made, requestId: `look-${index}` }, accountId));
    }
    await activity.flush();
  }
  const made = { call, sessionTime, isBare: rows === 0, ...(rows > 1 && { longName }) };
  Object.assign(ids, await createAttendeePages(service, made));
  const fakes = opened.move();
  return {
    baseUrl,
    account,
    ids,
    async [Symbol.asyncDispose]() {
      await service[Symbol.asyncDispose]();
      await fakes.disposeAsync();
    },
  };
}

/** All are sent, except the newest one. */
/** Three quarters of the people watch for a while. Some see the offer and click it. */
const attendAll = `
  with person as (
    update attendees.registration set status = 'attended',
      utm_source = (array['newsletter', 'linkedin', null])[1 + abs(hashtext(id::text)) % 3]
    where account_id = $1 and webinar_id = $2 and abs(hashtext(email)) % 4 > 0
    returning account_id, id, webinar_id, session_id, 1 + abs(hashtext(id::text)) % 450 as bytes
  )
  insert into attendees.attendance (account_id, registration_id, webinar_id, session_id, visits, first_visit_at, first_joined_at,
    join_count, watched, watched_seconds, completion_percent, completed_at, clicks, views)
  select account_id, id, webinar_id, session_id, '[]', now(), now(), 1, decode(repeat('ff', bytes), 'hex'), bytes * 8,
    least(100, bytes * 800 / 3600), case when bytes > 430 then now() end,
    case when bytes > 300 then jsonb_build_object($3::text, 'offer') else '{}' end,
    case when bytes > 150 then jsonb_build_array($3::text) else '[]' end
  from person`;

const endMails = [
  `update mails.mail set status = 'sent', sender = 'connection', sent_at = now() where account_id = $1`,
  `update mails.mail set status = 'bounced', reason = 'The mailbox does not exist.' where account_id = $1 and id =
     (select id from mails.mail where account_id = $1 order by id desc limit 1)`,
];

const refuseKey = `
  update connections.connection set state = 'disconnected', reason = 'API key is invalid', last_failure_at = now(),
    name = left($3, 100) where account_id = $1 and id = $2`;

const backdate = `update attendees.registration set registered_at = registered_at - interval '20 days' where account_id = $1`;

const newcomer = { email: 'new@example.com', role: 'member' };

const updateContact = {
  type: 'integration',
  fields: [
    { key: 'FNAME', from: 'first_name', policy: 'if_empty' },
    { key: 'LASTWEB', value: 'Spring collection' },
  ],
  tags: { add: ['customer'] },
  lists: { add: ['ia1'] },
  event: { name: 'webinar_attended' },
};

const offer = {
  type: 'offer',
  internalName: 'Spring bundle',
  showAtSeconds: 60,
  hideAtSeconds: 600,
  headline: 'The spring bundle',
  buttonLabel: 'Buy',
  url: 'https://example.com/spring',
};
