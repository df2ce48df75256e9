// Sign-in, sign-up and what belongs to them. SEED=n tries others, FUZZ_SCALE=n more.
import fc, { type Arbitrary } from 'fast-check';
import { expect, test } from 'vitest';
import { createTestAccount } from '../support/api.ts';
import { hostileEmail, hostileText, toHostileJson } from './hostile.ts';
import { leakIn, parseJson, requestsFor, seed, startManyAddressApi, timeoutFor } from './judge.ts';
import { runRequests } from './run-requests.ts';
import { createSender, type Sent } from './send.ts';
import { oddValue, spoil, usually } from './values.ts';

const count = requestsFor(1000);
const concurrency = 8;

/** Answers that the sign-in pages may get. */
const answerable = new Set([200, 302, 400, 401, 403, 404, 405, 413, 415, 422, 429, 431]);

interface AuthRequest {
  method: string;
  path: string;
  headers: string[];
  body: string | undefined;
}

/** Headers as a list of names and values. */
const list = (...headers: string[]): Arbitrary<string[]> => fc.constant(headers);

const password = usually(
  fc.string({ minLength: 8, maxLength: 40 }),
  fc.oneof(hostileText, fc.constantFrom('{password}')),
);
const email = usually(fc.constant('{email}'), hostileEmail);

const bodies: Record<string, Arbitrary<unknown>> = {
  'POST /api/auth/sign-in/email': fc.record({ email, password }),
  'POST /api/auth/sign-up/email': fc.record({
    name: usually(fc.constant('Ada'), hostileText),
    email: hostileEmail,
    password,
  }),
  'POST /api/auth/change-password': fc.record({
    currentPassword: password,
    newPassword: password,
    revokeOtherSessions: fc.boolean(),
  }),
  'POST /api/auth/organization/accept-invitation': fc.record({ invitationId: hostileText }),
  'POST /api/auth/sign-out': fc.constant({}),
  'GET /api/auth/invitation?id={text}': fc.constant(undefined),
  'GET /api/session': fc.constant(undefined),
  'POST /api/auth/delete-user': fc.constant({}),
  'GET /api/auth/list-sessions': fc.constant(undefined),
  'POST /api/auth/%00': oddValue,
  'POST /api/auth/': oddValue,
};

const requests: Arbitrary<AuthRequest> = fc.constantFrom(...Object.entries(bodies)).chain(([route, body]) => {
  const [method, path] = route.split(' ') as [string, string];
  const sent = fc.oneof(
    { arbitrary: body, weight: 5 },
    { arbitrary: body.chain(spoil), weight: 3 },
    { arbitrary: oddValue, weight: 1 },
  );
  return fc.record<AuthRequest>({
    method: usually(fc.constant(method), fc.constantFrom('GET', 'POST', 'PUT', 'OPTIONS', 'TRACE')),
    path: hostileText.map((text) => path.replace('{text}', encodeURIComponent(text.toWellFormed()))),
    headers: fc
      .tuple(
        usually(
          list('Origin', '{origin}'),
          fc.oneof(list(), list('Origin', 'null'), list('Origin', 'https://evil.example')),
        ),
        usually(
          list('Content-Type', 'application/json'),
          fc.oneof(list(), list('Content-Type', 'text/plain')),
        ),
        usually(
          list(),
          fc.oneof(
            list('Cookie', 'service.session_token=%00'),
            list('Cookie', 'service.session_token=a.b; =; ;'),
            list('Cookie', '='),
          ),
        ),
        usually(
          fc.ipV4().map((address) => ['X-Forwarded-For', address]),
          fc.oneof(list('X-Forwarded-For', "'; --"), list('X-Forwarded-For', '::1, 127.0.0.1')),
        ),
      )
      .map((lists) => lists.flat()),
    body:
      method === 'GET'
        ? fc.constant(undefined)
        : usually(
            sent.map(toHostileJson),
            fc.oneof(fc.constantFrom('', '{', 'null', '['.repeat(9000)), hostileText),
          ),
  });
});

function judge({ method }: AuthRequest, { status, headers, text }: Sent): string[] {
  // OPTIONS is answered with the list of methods.
  const isShaped = method === 'HEAD' || method === 'OPTIONS' || text === '' || isJson(text, headers);
  return [
    ...(answerable.has(status) ? [] : [`status ${status}`]),
    ...leakIn(text),
    ...(isShaped ? [] : ['not JSON']),
  ];
}

const isJson = (text: string, headers: Headers): boolean =>
  parseJson(text) !== undefined && headers.get('content-type')?.startsWith('application/json') === true;

test(
  `${count} requests to sign-in and sign-up are answered with a known status, in JSON`,
  { timeout: timeoutFor(count) },
  async () => {
    console.log(`Fuzzing with SEED=${seed}`);
    await using service = await startManyAddressApi();
    const account = await createTestAccount(service);
    const fill = (text: string): string =>
      text
        .replaceAll('{email}', account.email)
        .replaceAll('{password}', account.password)
        .replaceAll('{origin}', service.baseUrl);
    const sender = createSender(service.baseUrl, concurrency);
    const { findings, statuses } = await runRequests({
      requests: fc.sample(requests, { seed, numRuns: count }),
      concurrency,
      send: ({ method, path, headers, body }) =>
        sender.send({
          method,
          target: path,
          headers: headers.map(fill),
          body: body === undefined ? undefined : Buffer.from(fill(body)),
          chunked: false,
        }),
      judge,
      describe: ({ method, path, headers, body = '' }) =>
        `${method} ${path.slice(0, 300)} ${JSON.stringify(headers)} ${fill(body).slice(0, 600)}`,
    });
    sender.close();
    for (const status of [200, 400, 401, 403, 404, 415]) expect(statuses).toContain(status);
    expect(findings.slice(0, 10)).toEqual([]);
  },
);
