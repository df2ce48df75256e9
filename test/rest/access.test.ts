import { allScopes, allSurfaces, presets, resourceOf, type Scope, type Surface } from '@service/catalogue';
import { listRoutes, type Route } from '@service/rest';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { callRest, createTestAccount, createTestKey, testApi, type TestApi } from '../support/api.ts';
import { createEverything, pathOf, type Everything } from '../support/everything.ts';
import { startReceiver, type Receiver } from '../support/receiver.ts';

interface Access {
  scopes: readonly Scope[];
  surfaces: readonly Surface[];
}

let service: TestApi;
let receiver: Receiver;
let routes: Route[];

beforeAll(async () => {
  service = await testApi();
  receiver = await startReceiver();
  routes = listRoutes(service.api.service.router);
});
afterAll(async () => {
  await receiver[Symbol.asyncDispose]();
  await service[Symbol.asyncDispose]();
});

const withRest: readonly Surface[][] = [['rest'], [...allSurfaces]];

const resources = [...new Set(allScopes.map(resourceOf))];

/** 0 or 1, the same for both scopes of a resource, so that scopes of either verb are tried with all kinds of surfaces. */
const turnOf = (scope: Scope): number => resources.indexOf(resourceOf(scope)) % 2;

const reads = presets.read.scopes;
const writes = allScopes.filter((scope) => !reads.includes(scope));

/**
 * Each scope alone and all but one, on REST alone and on both surfaces in turns; those that read, those that write and all, on each.
 * Every key calls every route, so a key without REST has all scopes: a smaller one could only pass less.
 */
const accesses: Access[] = [
  ...allScopes.map((scope) => ({ scopes: [scope], surfaces: withRest[turnOf(scope)]! })),
  ...allScopes.map((scope) => ({
    scopes: allScopes.filter((other) => other !== scope),
    surfaces: withRest[1 - turnOf(scope)]!,
  })),
  ...withRest.flatMap((surfaces) => [reads, writes].map((scopes) => ({ scopes, surfaces }))),
  ...[...withRest, allSurfaces.filter((surface) => surface !== 'rest')].map((surfaces) => ({
    scopes: allScopes,
    surfaces,
  })),
];

const isAllowed = ({ scope }: Route, { scopes, surfaces }: Access): boolean =>
  surfaces.includes('rest') && (scope === undefined || scopes.includes(scope));

const call = (route: Route, { ids, bodies }: Everything, key: string) => {
  const name = `${route.method} ${route.template}`;
  return callRest(service, `${route.method} ${pathOf(route.template, ids)}`, {
    key,
    body: bodies[name],
    headers: { 'X-Request-Id': 'same' },
  });
};

test(
  'only a key with the exact scope on the REST surface passes, and only to what is its own and not archived',
  { timeout: 180_000 },
  async () => {
    const mine = await createEverything(service, receiver.url);
    const archived = await createEverything(service, receiver.url);
    const theirs = await createEverything(service, receiver.url);
    await callRest(service, `POST /webinars/${archived.ids['webinarId']}/archive`, { key: archived.key });
    const nothing = await callRest(service, 'GET /me', { headers: { 'X-Request-Id': 'same' } });
    expect(nothing.status).toBe(401);
    expect(routes.length).toBeGreaterThan(70);

    for (const access of accesses) {
      const own = (await createTestKey(service, mine.accountId, access)).key;
      const ownOfArchived = (await createTestKey(service, archived.accountId, access)).key;
      const targets = [
        { what: 'my own', world: mine, key: own, status: undefined },
        { what: 'of another account', world: theirs, key: own, status: 404 },
        { what: 'archived', world: archived, key: ownOfArchived, status: 404 },
      ];
      for (const { what, world, key, status } of targets) {
        const asked = routes.filter(({ pathParameters: [first] }) =>
          // A revenue event outlives its webinar.
          what === 'archived' ? first === 'webinarId' : status === undefined || first !== undefined,
        );
        const answers = await Promise.all(
          asked.map(async (route) => {
            // Allowed calls have a world of their own below.
            if (status === undefined && isAllowed(route, access)) return undefined;
            return { route, answer: await call(route, world, key) };
          }),
        );
        for (const { route, answer } of answers.filter((tried) => tried !== undefined)) {
          const name = `${route.method} ${route.template}, ${what}, with ${access.scopes.join()} on ${access.surfaces.join()}`;
          if (isAllowed(route, access)) expect(answer.status, name).toBe(status);
          else expect([answer.status, answer.text], name).toEqual([401, nothing.text]);
        }
      }
    }
    // Nothing was touched on the way: everything is still there and as it was.
    for (const route of routes.filter(({ method }) => method === 'GET')) {
      expect((await call(route, theirs, theirs.key)).status, route.template).toBe(200);
    }
    const [{ count }] = (
      await service.db.database.pool.query(
        `select count(*)::int as count from webinars.webinar where account_id = any($1)`,
        [[mine.accountId, theirs.accountId, archived.accountId]],
      )
    ).rows;
    expect(count).toBe(3);
  },
);

test('every route passes with its one scope on its one surface', async () => {
  const account = await createTestAccount(service);
  const shared = await createEverything(service, receiver.url, account);
  for (const route of routes) {
    // Other writes have a webinar of their own: it takes 20 calls to make. One account is enough: another takes 100 ms of CPU.
    const world = leavesOthersAlone(route) ? shared : await createEverything(service, receiver.url, account);
    if (route.template.endsWith('/unpublish')) await cancelRegistration(world);
    if (needsGraph(route)) await openGraph(world);
    if (route.status === 202 && route.template.endsWith('/recoveries')) await cancelRecoveries(world);
    const scopes = [route.scope ?? allScopes[0]!];
    const { key } = await createTestKey(service, world.accountId, { scopes, surfaces: ['rest'] });
    const answer = await call(route, world, key);
    expect(
      [route.status, route.statusWhenThere],
      `${route.method} ${route.template}: ${answer.text}`,
    ).toContain(answer.status);
  }
});

/** True if the route works after all others of its kind: it reads, changes fields, or adds a record. */
const leavesOthersAlone = (route: Route): boolean =>
  route.type === 'query' ||
  route.method === 'PATCH' ||
  route.template.startsWith('/revenue/events') ||
  (route.status === 201 && !needsGraph(route));

const needsGraph = ({ method, template }: Route): boolean =>
  method === 'POST' && /\/(segments|branches)$/.test(template);

/** A webinar with registrations cannot be unpublished. */
async function cancelRegistration({ key, ids }: Everything): Promise<void> {
  const path = `/webinars/${ids['webinarId']}/registrations/${ids['registrationId']}/cancel`;
  expect((await callRest(service, `POST ${path}`, { key })).status).toBe(200);
}

/** Segments and branches are added to a draft of kind adaptive. */
async function openGraph(world: Everything): Promise<void> {
  await cancelRegistration(world);
  const { key } = world;
  const at = `/webinars/${world.ids['webinarId']}`;
  expect((await callRest(service, `POST ${at}/unpublish`, { key })).status).toBe(200);
  expect((await callRest(service, `PATCH ${at}`, { key, body: { kind: 'adaptive' } })).status).toBe(200);
}

/** There is one at a time. */
async function cancelRecoveries({ key, ids }: Everything): Promise<void> {
  for (const path of ['webhooks/{webhookId}', 'automations/{ruleId}']) {
    const template = `/webinars/{webinarId}/${path}/recoveries/{recoveryId}/cancel`;
    expect((await callRest(service, `POST ${pathOf(template, ids)}`, { key })).status).toBe(200);
  }
}
