import { randomUUID } from 'node:crypto';
import { allInStep } from '../contacts/contacts-world.ts';
import { insertLedgerRows, ledgerRow } from '../revenue/ledger-rows.ts';
import { insertMarketingConnection } from './marketing-connections.ts';
import { callRest, createTestWorld, type TestAccount, type TestApi } from './api.ts';
import { payloadOf } from './shop.ts';

/** One of everything that an id of a path can name, in one workspace, with bodies that its write routes accept. */
export interface Everything {
  accountId: string;
  /** Full access. */
  key: string;
  /** By the name of the path parameter. */
  ids: Record<string, string>;
  /** By route, `POST /webinars/{webinarId}/registrations`; routes that need no body have none. */
  bodies: Record<string, unknown>;
}

/** Interactions share a parameter's name, so a route takes the one of its own type. */
const interactionPaths = ['offers', 'ctas', 'polls', 'handouts'] as const;

const interactionBodies = {
  offers: {
    internalName: 'Offer',
    showAtSeconds: 5,
    headline: 'Buy',
    url: 'https://example.com/buy',
    buttonLabel: 'Buy',
  },
  ctas: {
    internalName: 'CTA',
    showAtSeconds: 5,
    headline: 'Read',
    url: 'https://example.com/read',
    buttonLabel: 'Read',
  },
  polls: {
    internalName: 'Poll',
    showAtSeconds: 5,
    headline: 'Which?',
    options: [{ label: 'One' }, { label: 'Two' }],
  },
  handouts: {
    internalName: 'Slides',
    showAtSeconds: 5,
    headline: 'Slides',
    url: 'https://example.com/a.pdf',
    fileName: 'a.pdf',
  },
};

const recovery = { since: '2026-01-01T00:00:00Z' };
const recoveries = '/recoveries';

/**
 * Makes it all over the API, in a workspace of its own or in the given one. The deliveries of the workspace have failed, and
 * recoveries of its own are running.
 */
export async function createEverything(
  service: TestApi,
  receiverUrl: string,
  account?: TestAccount,
): Promise<Everything> {
  const { key, webinar, accountId } = await createTestWorld(service, account);
  const at = `/webinars/${webinar.id}`;
  const create = async (path: string, body: unknown): Promise<string> => {
    const answer = await callRest(service, `POST ${at}${path}`, { key, body });
    if (answer.status !== 201) throw new Error(`POST ${path} answered ${answer.status}: ${answer.text}`);
    return answer.json.data.id;
  };
  const newest = async (path: string): Promise<string> =>
    (await callRest(service, `GET ${at}${path}`, { key })).json.data[0].id;

  const bodies = bodiesFor({ receiverUrl, sessionTime: webinar.sessionTime });
  const post = (path: string): Promise<string> => create(path, bodies[`POST /webinars/{webinarId}${path}`]);
  const ids: Record<string, string> = { webinarId: webinar.id, mailKind: 'confirmation' };
  const { from, to, unused, branch } = await insertGraph(service, { accountId, webinarId: webinar.id });
  const ends = { fromSegmentId: from, toSegmentId: to };
  bodies['POST /webinars/{webinarId}/branches'] = { ...ends, label: 'On', via: 'default' };
  Object.assign(ids, { segmentId: unused, branchId: branch });
  ids['webhookId'] = await post('/webhooks');
  ids['ruleId'] = await post('/automations');
  for (const path of interactionPaths) ids[path] = await post(`/${path}`);
  ids['interactionId'] = ids['offers']!;
  // An hour before the one that the body asks for: two sessions cannot start together.
  const startsAt = new Date(Date.parse(webinar.sessionTime) + 2 * 3_600_000).toISOString();
  ids['sessionId'] = await create('/sessions', { startsAt, control: 'api' });
  ids['registrationId'] = await post('/registrations');
  ids['webhooks'] = await newest(`/webhooks/${ids['webhookId']}/deliveries`);
  ids['automations'] = await newest(`/automations/${ids['ruleId']}/deliveries`);
  const event = ledgerRow();
  await insertLedgerRows(service.db, accountId, [event]);
  ids['revenueEventId'] = event.id;
  ids['connectionId'] = await insertMarketingConnection(
    service.db.database,
    service.api.service.connections,
    { accountId, provider: 'klaviyo', credential: { key: 'pk_0000' }, baseUrl: receiverUrl, sync: allInStep },
  );
  ids['runId'] = randomUUID();
  await service.db.database.pool.query(
    `insert into contacts.run (account_id, id, connection_id, status, total, queued, after_contact, started_at, ended_at, next_at)
     values ($1, $2, $3, 'done', 1, 1, '', now(), now(), now())`,
    [accountId, ids['runId'], ids['connectionId']],
  );
  const { pool } = service.db.database;
  await pool.query('delete from deliveries.due where account_id = $1', [accountId]);
  await pool.query(`update deliveries.delivery set ended_as = 'failure' where account_id = $1`, [accountId]);
  for (const path of [`/webhooks/${ids['webhookId']}`, `/automations/${ids['ruleId']}`]) {
    const answer = await callRest(service, `POST ${at}${path}/recoveries`, { key, body: recovery });
    ids[path.split('/')[1]! + recoveries] = answer.json.data.id;
  }
  return { accountId, key, ids, bodies };
}

/**
 * Three segments, and a branch between two of them, as a webinar has them that was an adaptive draft before. Not over the API:
 * that takes ten calls, and tests make a hundred such worlds.
 */
async function insertGraph(
  { db }: TestApi,
  { accountId, webinarId }: { accountId: string; webinarId: string },
): Promise<Record<'from' | 'to' | 'unused' | 'branch', string>> {
  const { pool } = db.database;
  const ids = { from: randomUUID(), to: randomUUID(), unused: randomUUID(), branch: randomUUID() };
  await pool.query(
    `insert into webinars.segment
     select $1, id, $2, id::text, 'Part', null, 60, false, false, '{"x": 0, "y": 0}', now(), now()
     from unnest($3::uuid[]) as id`,
    [accountId, webinarId, [ids.from, ids.to, ids.unused]],
  );
  await pool.query(
    `insert into webinars.branch
     values ($1, $2, $3, $4, $5, 'On', 0, 'default', '[]', null, null, 15, now(), now())`,
    [accountId, ids.branch, webinarId, ids.from, ids.to],
  );
  return ids;
}

/** A route's path with ids in it: those of `ids`, the right one where a name depends on the route. */
export function pathOf(template: string, ids: Record<string, string>): string {
  return template.replace(/\{(\w+)\}/g, (_match, name: string) => {
    const owner = ownerOf(template, name);
    const id = ids[owner ?? name] ?? ids[name];
    if (id === undefined) throw new Error(`There is no id for ${name} of ${template}`);
    return id;
  });
}

/** The collection whose member a parameter names, where the name alone does not say it. */
export function ownerOf(template: string, name: string): string | undefined {
  const owner = [...interactionPaths, 'webhooks', 'automations'].find((path) =>
    template.includes(`/${path}/`),
  );
  if (name === 'recoveryId') return owner! + recoveries;
  return name === 'deliveryId' || name === 'interactionId' ? owner : undefined;
}

function bodiesFor({ receiverUrl, sessionTime }: { receiverUrl: string; sessionTime: string }) {
  const later = new Date(Date.parse(sessionTime) + 3 * 3_600_000).toISOString();
  const evenLater = new Date(Date.parse(sessionTime) + 4 * 3_600_000).toISOString();
  const person = { name: 'Ada', email: 'ada@example.com', sessionTime };
  const rule = {
    name: 'Rule',
    trigger: { type: 'registered' },
    action: { type: 'webhook', url: receiverUrl },
  };
  const bodies: Record<string, unknown> = {
    'POST /webinars': { title: 'Another' },
    'PATCH /webinars/{webinarId}': { title: 'Renamed' },
    'POST /webinars/{webinarId}/duplicate': {},
    'PATCH /webinars/{webinarId}/mails': { senderName: 'Other' },
    'POST /webinars/{webinarId}/segments': { title: 'Part', durationSeconds: 60 },
    'PATCH /webinars/{webinarId}/segments/{segmentId}': { title: 'Other' },
    'PATCH /webinars/{webinarId}/branches/{branchId}': { label: 'Other' },
    'POST /webinars/{webinarId}/sessions': { startsAt: later, control: 'api' },
    'PATCH /webinars/{webinarId}/sessions/{sessionId}': { startsAt: evenLater },
    'POST /webinars/{webinarId}/sessions/{sessionId}/progress': { action: 'start' },
    'POST /webinars/{webinarId}/registrations': person,
    'POST /webinars/{webinarId}/registrations/{registrationId}/move': { sessionTime },
    'POST /webinars/{webinarId}/registrations/bulk': { registrations: [person] },
    'POST /revenue/events': payloadOf({ event_id: 'own' }),
    'POST /revenue/events/bulk': { events: [payloadOf({ event_id: 'own' })] },
    'POST /webinars/{webinarId}/interactions': { type: 'offer', ...interactionBodies.offers },
    'PATCH /webinars/{webinarId}/interactions/{interactionId}': { headline: 'Other' },
    'POST /webinars/{webinarId}/webhooks': { url: receiverUrl, eventTypes: ['registered'] },
    'PATCH /webinars/{webinarId}/webhooks/{webhookId}': { eventTypes: ['joined'] },
    'POST /webinars/{webinarId}/automations': rule,
    'PATCH /webinars/{webinarId}/automations/{ruleId}': { name: 'Other' },
    'POST /webinars/{webinarId}/webhooks/{webhookId}/test': { eventType: 'registered' },
  };
  for (const path of ['webhooks/{webhookId}', 'automations/{ruleId}']) {
    bodies[`POST /webinars/{webinarId}/${path}/recoveries`] = recovery;
    bodies[`POST /webinars/{webinarId}/${path}/recoveries/preview`] = recovery;
  }
  for (const path of interactionPaths) {
    bodies[`POST /webinars/{webinarId}/${path}`] = interactionBodies[path];
    bodies[`PATCH /webinars/{webinarId}/${path}/{interactionId}`] = { headline: 'Other' };
  }
  return bodies;
}
