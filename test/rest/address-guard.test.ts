import { blockedHosts, malformedHosts, publicHosts } from '@service/outbound-http/testing';
import { expect, test } from 'vitest';
import { callRest, createTestWorld, testApi } from '../support/api.ts';

// Some of each kind: check-address.test.ts has every spelling.
const some = <Host>(hosts: readonly Host[]): Host[] => hosts.filter((_host, index) => index % 8 === 0);
const refused = [
  ...some(blockedHosts).map(([host, what]) => ({ host, what, message: /private or reserved address/ })),
  ...some(malformedHosts).map((host) => ({ host, what: 'malformed', message: /not a valid URL/ })),
];
const allowed = some(publicHosts);

const toSubscription = (url: string) => ({ url, eventTypes: ['registered'] });
const toRule = (url: string) => ({
  name: 'Mine',
  trigger: { type: 'registered' },
  action: { type: 'webhook', url },
});

test.each([
  { route: 'webhooks', field: 'url', toBody: toSubscription, toChange: (url: string) => ({ url }) },
  {
    route: 'automations',
    field: 'action.url',
    toBody: toRule,
    toChange: (url: string) => ({ action: { type: 'webhook', url } }),
  },
])(
  '$route: no spelling of a private address is stored, neither at first nor later',
  async ({ route, field, toBody, toChange }) => {
    await using service = await testApi({ strict: true });
    const { key, webinar } = await createTestWorld(service);
    const at = `/webinars/${webinar.id}/${route}`;
    const call = (verb: string, body?: unknown) => callRest(service, verb, { key, body });
    const made = await call(`POST ${at}`, toBody('https://1.1.1.1/hook'));
    expect(made.status).toBe(201);
    const one = `${at}/${made.json.data.id}`;
    const before = (await call(`GET ${at}`)).json.data;

    expect(refused.length).toBeGreaterThan(5);
    for (const { host, what, message } of refused) {
      const url = `https://${host}:8443/hook`;
      const answers = await Promise.all([
        call(`POST ${at}`, toBody(url)),
        call(`PATCH ${one}`, toChange(url)),
      ]);
      for (const { status, json } of answers) {
        expect([status, json.issues], `${host} (${what})`).toEqual([
          422,
          [{ path: field, message: expect.stringMatching(message) }],
        ]);
      }
    }
    expect((await call(`GET ${at}`)).json.data).toEqual(before);

    for (const [host, what] of allowed) {
      const url = `https://${host}:8443/hook`;
      expect((await call(`POST ${at}`, toBody(url))).status, `${host} (${what})`).toBe(201);
      expect((await call(`PATCH ${one}`, toChange(url))).status, `${host} (${what})`).toBe(200);
    }
    expect((await call(`GET ${at}?limit=100`)).json.data).toHaveLength(allowed.length + 1);
  },
);
