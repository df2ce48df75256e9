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

/** REST alone or all surfaces: the same for both scopes of a resource, so that scopes of either verb are tried with both. */
const surfacesFor = (scope: Scope): Surface[] => withRest[resources.indexOf(resourceOf(scope)) % 2]!;

const reads = presets.read.scopes;

/** Keys that call every route. A key without REST has all scopes: a smaller one could only pass less. */
const accesses: Access[] = [
  { scopes: reads, surfaces: ['rest'] },
  { scopes: allScopes, surfaces: allSurfaces.filter((surface) => surface !== 'rest') },
];

const isAllowed = ({ scope }: Route, { scopes, surfaces }: Access): boolean =>
  surfaces.includes('rest') && (scope === undefined || scopes.includes(scope));

const namesARecord = ({ pathParameters }: Route): boolean => pathParameters.length > 0;
const namesAWebinar = ({ pathParameters: [first] }: Route): boolean => first === 'webinarId';

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

    /** Calls routes with a key of `access` on my own things, those of another account, and archived ones. */
    const callAll = async (access: Access, isAsked: (route: Route, isOwn: boolean) => boolean) => {
      const own = (await createTestKey(service, mine.accountId, access)).key;
      const ofArchived = (await createTestKey(service, archived.accountId, access)).key;
      const targets = [
        { what: 'my own', world: mine, key: own, isTarget: () => true },
        { what: 'of another account', world: theirs, key: own, isTarget: namesARecord },
        // A revenue event outlives its webinar.
        { what: 'archived', world: archived, key: ofArchived, isTarget: namesAWebinar },
      ];
      for (const { what, world, key, isTarget } of targets) {
        const isOwn = world === mine;
        // Allowed calls have a world of their own below.
        const asked = routes.filter(
          (route) => isTarget(route) && isAsked(route, isOwn) && !(isOwn && isAllowed(route, access)),
        );
        const tried = asked.map(async (route) => ({ route, answer: await call(route, world, key) }));
        for (const { route, answer } of await Promise.all(tried)) {
          const name = `${route.method} ${route.template}, ${what}, with ${access.scopes.join()} on ${access.surfaces.join()}`;
          if (isAllowed(route, access)) expect(answer.status, name).toBe(404);
          else expect([answer.status, answer.text], name).toEqual([401, nothing.text]);
        }
      }
    };
    for (const access of accesses) await callAll(access, () => true);
    for (const scope of allScopes) {
      // A key with every scope but this one is refused on the routes of this scope.
      const others = allScopes.filter((other) => other !== scope);
      await callAll(
        { scopes: others, surfaces: surfacesFor(scope) },
        (route, isOwn) => isOwn && route.scope === scope,
      );
      // The scope alone does not reach the records of others.
      await callAll(
        { scopes: [scope], surfaces: surfacesFor(scope) },
        (route, isOwn) => !isOwn && route.scope === scope,
      );
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
  const removals = routes.filter(removesAPart);
  for (const route of [...routes.filter((other) => !removals.includes(other)), ...removals]) {
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

/** True if the other routes still work after this one: it reads, changes fields, adds a record, or can be repeated. */
const leavesOthersAlone = (route: Route): boolean =>
  route.type === 'query' ||
  route.method === 'PATCH' ||
  route.template.startsWith('/revenue/events') ||
  /\/(rotate-\w+|move|bulk|preview|redeliver|probe|send|stop)$/.test(route.template) ||
  (route.status === 201 && !needsGraph(route)) ||
  removesAPart(route);

/** Each removes another part of a webinar or of a connection, so they share one after all other routes. */
const removesAPart = ({ method, template, pathParameters }: Route): boolean =>
  // An interaction can also be removed as an offer.
  method === 'DELETE' && pathParameters.length > 1 && !template.includes('/interactions/');

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
