// Each row is a receiver and the expected outcome of a delivery to it. One real worker calls all of them at once.
import type { Socket } from 'node:net';
import { allDeliveryFailures } from '@service/catalogue';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { startReceiver } from '../support/receiver.ts';
import { bodyRows } from './receivers/body-rows.ts';
import { good } from './receivers/certificates.ts';
import { connectionRows } from './receivers/connection-rows.ts';
import { deadlineRows } from './receivers/deadline-rows.ts';
import { nameRows } from './receivers/name-rows.ts';
import { startReceiverWorld, type ReceiverWorld } from './receivers/receiver-world.ts';
import { redirectRows } from './receivers/redirect-rows.ts';
import { failed, type Expected, type Row } from './receivers/row.ts';
import { startTlsReceiver } from './receivers/sockets.ts';
import { statusRows } from './receivers/status-rows.ts';
import { tlsRows } from './receivers/tls-rows.ts';

const quickRows = [...statusRows, ...bodyRows, ...redirectRows, ...tlsRows, ...nameRows, ...connectionRows];
const rows = [...quickRows, ...deadlineRows];

let receivers: ReceiverWorld;

beforeAll(async () => {
  receivers = await startReceiverWorld();
  await receivers.begin(deadlineRows);
  // A row that takes a tenth of a second less than the deadline must not start together with all other rows.
  await eventually('the slow receivers to be called', () =>
    deadlineRows.every((row) => receivers.receiverOf(row).received.length > 0),
  );
  await receivers.begin(quickRows);
});

afterAll(() => receivers[Symbol.asyncDispose]());

// Not test.each, which cuts the names of its rows.
for (const row of rows) test(`a receiver that ${row.name}`, () => expectOutcome(receivers, row));

// `invalid_redirect` has its own test below. The URL of an endpoint is valid, so none ends as `invalid_url`.
test('every failure kind has a receiver that causes it', () => {
  const kinds = new Set(rows.flatMap(({ expected }) => expected.failure ?? []));
  expect([...kinds, 'invalid_redirect', 'invalid_url'].toSorted()).toEqual(allDeliveryFailures.toSorted());
});

test('no receiver is called again before its next try', async () => {
  for (const row of rows) await receivers.outcomeOf(row);
  const calls = rows.map((row) => [row.name, receivers.receiverOf(row).received.length]);
  expect(calls).toEqual(rows.map((row) => [row.name, row.expected.calls]));
});

test('a redirect to http is not followed where https is required', async () => {
  await using receivers = await startReceiverWorld({ allowHttp: false });
  await using plain = await startReceiver();
  const row: Row = {
    name: 'redirects to http',
    start: () =>
      startTlsReceiver({ host: 'good.test', cert: good }, (_request, response) =>
        response.writeHead(307, { location: plain.url }).end(),
      ),
    expected: failed('invalid_redirect'),
  };
  await receivers.begin([row]);
  await expectOutcome(receivers, row);
  expect(plain.received).toEqual([]);
});

test.each(['end', 'resetAndDestroy'] as const)(
  'a connection that the receiver closes between two deliveries (%s) fails neither of them',
  async (close) => {
    const { world } = receivers;
    const sockets: Socket[] = [];
    await using receiver = await startReceiver((request, response) => {
      sockets.push(request.socket);
      response.end();
    });
    const { endpointId } = await world.createEndpoint(receiver.url);
    for (const count of [1, 2]) {
      const delivery = await world.untilStatus(await world.enqueue(endpointId), 'success');
      expect(delivery).toMatchObject({ attempts: 1, responseCode: 200 });
      expect(new Set(sockets).size).toBe(count);
      sockets.at(-1)![close]();
    }
  },
);

async function expectOutcome(receivers: ReceiverWorld, row: Row): Promise<void> {
  const { expected } = row;
  const { delivery, receiver, endpointId, lastSeenAt } = await receivers.outcomeOf(row);
  const readAt = Date.now();
  const { failure, responseCode, responseSnippet, attempts, triesLeft } = expected;
  const last = { failure, responseCode, ...(responseSnippet === undefined ? {} : { responseSnippet }) };
  const status = failure === null ? 'success' : 'retrying';
  expect(delivery).toMatchObject({ status, attempts, triesLeft, attemptsMax: 3, ...last });
  expect(delivery.attemptLog.at(-1)).toMatchObject({ number: attempts, url: receiver.url, ...last });
  expect(receiver.received).toHaveLength(expected.calls);
  expectNextAttempt(delivery.nextAttemptAt, expected, { from: lastSeenAt, to: readAt });
  await eventually(`the endpoint to be ${expected.health}`, async () => {
    const { deliveries, reader } = receivers.world;
    const endpoint = (await deliveries.endpoints(reader(), [endpointId])).get(endpointId);
    return endpoint?.health.status === expected.health;
  });
  await row.also?.({ delivery, receiver });
}

/** The last attempt ended between `from` and `to`. Times in the database are cut to milliseconds. */
function expectNextAttempt(
  nextAttemptAt: string | null,
  { nextInSeconds }: Expected,
  { from, to }: { from: number; to: number },
): void {
  if (nextInSeconds === null || nextAttemptAt === null) {
    expect(nextAttemptAt).toBe(nextInSeconds);
    return;
  }
  const [least, most] = nextInSeconds;
  const at = Date.parse(nextAttemptAt);
  expect(at).toBeGreaterThanOrEqual(from + least * 1000 - 1);
  expect(at).toBeLessThanOrEqual(to + most * 1000);
}
