// The room protocol and click links, with tokens that are right, wrong and nearly right. SEED=n tries others, FUZZ_SCALE=n more.
import { HeartbeatInput, MessageInput, AnswerInput, TakeBranchInput } from '@service/attendees';
import fc, { type Arbitrary } from 'fast-check';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { createWorld } from '../support/world.ts';
import { hostileId, hostileText, toHostileJson } from './hostile.ts';
import { leakIn, parseJson, requestsFor, seed, timeoutFor } from './judge.ts';
import { runRequests } from './run-requests.ts';
import { createSender, type Sent } from './send.ts';
import { createValues, oddValue, spoil, usually } from './values.ts';

const count = requestsFor(2000);
const concurrency = 16;
const attendees = 12;

/** Answers that a player may get. */
const answerable = new Set([200, 201, 204, 302, 400, 404, 405, 409, 410, 413, 415, 422, 429, 431]);

interface RoomRequest {
  method: string;
  /** `{token}`, `{click}` and `{interactionId}` stand for real ones. */
  path: string;
  type: string | undefined;
  body: string | undefined;
  headers: string[];
  pick: number;
}

const real = { visitId: '{visitId}', optionId: '{optionId}' } as Record<string, string>;

function inputOf(parser: z.ZodType): Arbitrary<unknown> {
  const values = createValues(
    (one) => one,
    (name) => (real[name] ? fc.constant(real[name]) : undefined),
  );
  const fitting = values(z.toJSONSchema(parser, { io: 'input', unrepresentable: 'any' }), '');
  return fc.oneof(
    { arbitrary: fitting, weight: 6 },
    { arbitrary: fitting.chain(spoil), weight: 3 },
    { arbitrary: oddValue, weight: 1 },
  );
}

/** One character of a token is another one. */
const token = usually(
  fc.constant('{token}'),
  fc.oneof(
    fc.tuple(fc.nat(), fc.nat()).map(([place, other]) => `{spoilt:${place}:${other}}`),
    fc.constantFrom('', 'x', 'A'.repeat(64), 'A'.repeat(86), '%00', '..%2f', 'A'.repeat(5000)),
    hostileText.map((text) => encodeURIComponent(text.toWellFormed())),
  ),
  4,
);

const interactionId = usually(
  fc.constant('{interactionId}'),
  hostileId.map((id) => encodeURIComponent(id.toWellFormed())),
);

const below: Arbitrary<{ path: string; input: Arbitrary<unknown> }> = fc.oneof(
  { arbitrary: fc.constant({ path: '/visits', input: fc.constant<unknown>({}) }), weight: 3 },
  {
    arbitrary: fc
      .constantFrom('/heartbeats', '/leave')
      .map((path) => ({ path, input: inputOf(HeartbeatInput) })),
    weight: 6,
  },
  { arbitrary: fc.constant({ path: '/messages', input: inputOf(MessageInput) }), weight: 3 },
  {
    arbitrary: fc
      .tuple(interactionId, fc.constantFrom('clicks', 'answers', 'views'))
      .map(([id, what]) => ({ path: `/interactions/${id}/${what}`, input: inputOf(AnswerInput) })),
    weight: 6,
  },
  {
    arbitrary: hostileId.map((id) => ({
      path: `/branches/${encodeURIComponent(id.toWellFormed())}`,
      input: inputOf(TakeBranchInput),
    })),
    weight: 1,
  },
  {
    arbitrary: fc
      .constantFrom('', '/', '/visits/', '//visits', '/VISITS', '/nothing', '/%00')
      .map((path) => ({ path, input: oddValue })),
    weight: 1,
  },
);

const post: Arbitrary<RoomRequest> = fc.tuple(token, below).chain(([join, { path, input }]) =>
  fc.record<RoomRequest>({
    method: usually(fc.constant('POST'), fc.constantFrom('GET', 'HEAD', 'PUT', 'OPTIONS', 'TRACE')),
    path: fc.constant(`/room/${join}${path}`),
    type: usually<string | undefined>(
      fc.constantFrom('application/json', 'text/plain;charset=UTF-8'),
      fc.constantFrom(undefined, 'text/html', ';'),
    ),
    body: usually<string | undefined>(
      input.map(toHostileJson),
      fc.oneof(fc.constantFrom(undefined, '', '{', 'null', '['.repeat(20_000)), hostileText),
    ),
    headers: usually<string[]>(
      fc.constant([]),
      fc.constant(['Origin', 'null', 'X-Forwarded-For', '1.2.3.4']),
    ),
    pick: fc.nat(),
  }),
);

const get: Arbitrary<RoomRequest> = fc.record<RoomRequest>({
  method: usually(fc.constant('GET'), fc.constantFrom('HEAD', 'POST', 'DELETE')),
  path: fc.oneof(
    fc
      .tuple(token, hostileText)
      .map(([join, since]) => `/room/${join}/events?since=${encodeURIComponent(since.toWellFormed())}`),
    usually(fc.constant('{click}'), token).map((click) => `/r/${click}`),
  ),
  type: fc.constant(undefined),
  body: fc.constant(undefined),
  headers: usually<string[]>(
    fc.constant([]),
    fc.constantFrom(['Accept', 'text/html'], ['Sec-Purpose', 'prefetch']),
  ),
  pick: fc.nat(),
});

const requests = fc.oneof({ arbitrary: post, weight: 5 }, { arbitrary: get, weight: 1 });

const Failure = z.object({ code: z.string(), message: z.string(), requestId: z.string(), docUrl: z.url() });

function judge({ method, path, headers: asked }: RoomRequest, { status, headers, text }: Sent): string[] {
  // A browser that only prefetches a click link is to come again. A link without a token has no route.
  const isClickLink = path.startsWith('/r/') && path.slice('/r/'.length).trim() !== '';
  if (method === 'GET' && isClickLink && asked.includes('Sec-Purpose'))
    return status === 503 ? [] : [`prefetch ${status}`];
  const isPage = headers.get('content-type')?.startsWith('text/html');
  const isShaped = status < 400 || method === 'HEAD' || isPage || Failure.safeParse(parseJson(text)).success;
  return [
    ...(answerable.has(status) ? [] : [`status ${status}`]),
    ...leakIn(text),
    ...(isShaped ? [] : ['not our shape of an error']),
  ];
}

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

const spoilToken = (text: string, place: number, other: number): string =>
  text
    .split('')
    .with(place % text.length, alphabet[other % 64]!)
    .join('');

test(
  `${count} calls of the room protocol are answered with a known status and shape`,
  { timeout: timeoutFor(count) },
  async () => {
    console.log(`Fuzzing with SEED=${seed}`);
    await using world = await createWorld();
    const offer = await world.interaction({ type: 'offer', url: 'https://example.com/', buttonLabel: 'Buy' });
    const poll = await world.interaction({
      type: 'poll',
      options: [
        { id: 'a', label: 'A' },
        { id: 'b', label: 'B' },
      ],
    });
    const people = await Promise.all(
      Array.from({ length: attendees }, (_, index) => world.attend(`ada${index}@example.com`)),
    );
    world.startSession();
    const visits = await Promise.all(people.map(async (person) => (await person.visit()).json));
    const fill = (text: string, pick: number): string => {
      const who = pick % attendees;
      const { token: join } = people[who]!;
      const visit = visits[who] as { visitId: string; interactions: { clickUrl?: string }[] };
      const click = visit.interactions
        .find(({ clickUrl }) => clickUrl)!
        .clickUrl!.split('/')
        .at(-1)!;
      return text
        .replaceAll('{token}', join)
        .replaceAll('{click}', click)
        .replaceAll('{visitId}', visit.visitId)
        .replaceAll('{optionId}', 'a')
        .replaceAll('{interactionId}', pick % 2 === 0 ? offer : poll)
        .replaceAll(/\{spoilt:(\d+):(\d+)\}/g, (_mark, place: string, other: string) =>
          spoilToken(join, Number(place), Number(other)),
        );
    };
    const sender = createSender(world.service.baseUrl, concurrency);
    const { findings, statuses } = await runRequests({
      requests: fc.sample(requests, { seed, numRuns: count }),
      concurrency,
      send({ method, path, type, body, headers, pick }) {
        // Attendees are bounded by the second.
        world.clock.advance(0.05);
        return sender.send({
          method,
          target: fill(path, pick),
          headers: [...headers, ...(type === undefined ? [] : ['Content-Type', type])],
          body: body === undefined ? undefined : Buffer.from(fill(body, pick)),
          chunked: false,
        });
      },
      judge,
      describe: ({ method, path, body = '', pick }) =>
        `${method} ${fill(path, pick).slice(0, 400)} ${fill(body, pick).slice(0, 600)}`,
    });
    sender.close();
    for (const status of [200, 201, 204, 302, 400, 404, 405, 410, 415, 422])
      expect(statuses).toContain(status);
    expect(findings.slice(0, 10)).toEqual([]);
  },
);
