// The authorization server, which strangers reach without signing in. SEED=n tries others, FUZZ_SCALE=n more.
import fc, { type Arbitrary } from 'fast-check';
import { expect, test } from 'vitest';
import { connect, createAttempt, redirectUri, refreshForm } from '../connectors/oauth-client.ts';
import { createTestAccount } from '../support/api.ts';
import { openDashboard } from '../support/dashboard.ts';
import { hostileText, hostileUrl, toHostileJson } from './hostile.ts';
import { leakIn, parseJson, requestsFor, seed, startManyAddressApi, timeoutFor } from './judge.ts';
import { runRequests } from './run-requests.ts';
import { createSender, type Sent } from './send.ts';
import { oddValue, usually } from './values.ts';

const count = requestsFor(800, 800);
const concurrency = 8;

const answerable = new Set([200, 201, 204, 302, 400, 404, 405, 429, 431]);

interface OAuthRequest {
  method: string;
  path: string;
  headers: string[];
  body: string | undefined;
}

/** Without URLs: the service would fetch metadata documents from them. */
const text = hostileText.filter((value) => !/^https?:/.test(value));

/** A parameter with its usual value, with another one, missing, or repeated. */
const parameter = (name: string, value: string): Arbitrary<[string, string][]> =>
  usually(
    fc.constant<[string, string][]>([[name, value]]),
    fc.oneof(
      fc.constant<[string, string][]>([]),
      text.map((other): [string, string][] => [[name, other]]),
      fc.constant<[string, string][]>([
        [name, value],
        [name, 'other'],
      ]),
    ),
  );

const query = (fields: Record<string, string>): Arbitrary<string> =>
  fc.tuple(...Object.entries(fields).map(([name, value]) => parameter(name, value))).map((lists) => {
    const parameters = new URLSearchParams();
    for (const [name, value] of lists.flat()) parameters.append(name, value.toWellFormed());
    return parameters.toString();
  });

const address = fc.ipV4().map((from) => ['X-Forwarded-For', from]);
const typed = (type: string): Arbitrary<string[]> =>
  usually(
    fc.constant(['Content-Type', type]),
    fc.constantFrom<string[]>([], ['Content-Type', 'text/plain'], ['Content-Type', `${type}; charset=x`]),
  );

const post = (path: string, type: string, body: Arbitrary<string>): Arbitrary<OAuthRequest> =>
  fc.record({
    method: usually(fc.constant('POST'), fc.constantFrom('GET', 'PUT', 'OPTIONS', 'TRACE')),
    path: fc.constant(path),
    headers: fc.tuple(address, typed(type)).map((lists) => lists.flat()),
    body,
  });

const metadata = fc.record({
  client_name: usually(hostileText, oddValue),
  redirect_uris: usually(fc.array(usually(hostileUrl, hostileText), { maxLength: 4 }), oddValue),
  grant_types: usually(fc.constant(['authorization_code']), oddValue),
});

/** `known` are the parameters of a client that is connected. */
const requestsOf = (known: {
  authorize: Record<string, string>;
  refresh: Record<string, string>;
  code: Record<string, string>;
}): Arbitrary<OAuthRequest> =>
  fc.oneof(
    fc.record<OAuthRequest>({
      method: usually(fc.constant('GET'), fc.constantFrom('POST', 'OPTIONS')),
      path: query(known.authorize).map((parameters) => `/oauth/authorize?${parameters}`),
      headers: address,
      body: fc.constant(undefined),
    }),
    post('/oauth/token', 'application/x-www-form-urlencoded', query(known.refresh)),
    post('/oauth/token', 'application/x-www-form-urlencoded', query(known.code)),
    post('/oauth/revoke', 'application/x-www-form-urlencoded', query({ token: 'x', client_id: 'x' })),
    post('/oauth/register', 'application/json', usually(metadata, oddValue).map(toHostileJson)),
    fc.record<OAuthRequest>({
      method: fc.constant('GET'),
      path: text.map(
        (more) => `/.well-known/oauth-authorization-server/oauth${encodeURIComponent(more.toWellFormed())}`,
      ),
      headers: address,
      body: fc.constant(undefined),
    }),
  );

/** Problems of an answer. A browser is sent to the consent page or to the redirect URI only. */
function judge({ method, path }: OAuthRequest, { status, headers, text: body }: Sent): string[] {
  const location = headers.get('location');
  const isPage = path.startsWith('/oauth/authorize') && status !== 405;
  const isSafe =
    location === null ||
    location.startsWith(redirectUri) ||
    /^http:\/\/localhost:\d+\/connect\?/.test(location);
  const isShaped =
    isPage || method === 'OPTIONS' || method === 'TRACE' || body === '' || parseJson(body) !== undefined;
  return [
    ...(answerable.has(status) ? [] : [`status ${status}`]),
    ...leakIn(body),
    ...(isSafe ? [] : [`leads to ${location}`]),
    ...(isShaped ? [] : ['not JSON']),
  ];
}

test(
  `${count} requests to the authorization server are answered with a known status, and lead nowhere else`,
  { timeout: timeoutFor(count) },
  async () => {
    console.log(`Fuzzing with SEED=${seed}`);
    await using service = await startManyAddressApi();
    const dashboard = await openDashboard(service, await createTestAccount(service));
    const { clientId, refreshToken, code, attempt } = await connect(service, dashboard);
    const requests = requestsOf({
      authorize: createAttempt(service, clientId).parameters,
      refresh: refreshForm(clientId, refreshToken) as Record<string, string>,
      code: {
        grant_type: 'authorization_code',
        code,
        client_id: clientId,
        code_verifier: attempt.verifier,
        redirect_uri: redirectUri,
      },
    });
    const sender = createSender(service.baseUrl, concurrency);
    const { findings, statuses } = await runRequests({
      requests: fc.sample(requests, { seed, numRuns: count }),
      concurrency,
      send: ({ method, path, headers, body }) =>
        sender.send({
          method,
          target: path,
          headers,
          body: body === undefined ? undefined : Buffer.from(body),
          chunked: false,
        }),
      judge,
      describe: ({ method, path, headers, body = '' }) =>
        `${method} ${path.slice(0, 600)} ${JSON.stringify(headers)} ${body.slice(0, 600)}`,
    });
    sender.close();
    for (const status of [200, 201, 302, 400, 404, 405]) expect(statuses).toContain(status);
    expect(findings.slice(0, 10)).toEqual([]);
  },
);
