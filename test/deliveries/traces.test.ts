import { startTracing } from '@service/log';
import { expect, test } from 'vitest';
import { callRest, createTestWorld, testApi } from '../support/api.ts';
import { eventually } from '../support/eventually.ts';
import { startReceiver, type Receiver } from '../support/receiver.ts';
import { testWorker } from '../support/worker.ts';

interface Span {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind: number;
  startTimeUnixNano: string;
  endTimeUnixNano: string;
  attributes: { key: string; value: Record<string, string> }[];
  status: { code?: number };
}

interface ExportRequest {
  resourceSpans: { resource: { attributes: unknown[] }; scopeSpans: { spans: Span[] }[] }[];
}

const spansOf = ({ received }: Receiver): Span[] =>
  received
    .map(({ body }) => JSON.parse(body.toString()) as ExportRequest)
    .flatMap(({ resourceSpans }) => resourceSpans.flatMap(({ scopeSpans }) => scopeSpans))
    .flatMap(({ spans }) => spans);

test('one trace joins the request of a client, its event, the delivery, and all attempts of a worker', async () => {
  await using collector = await startReceiver();
  const warned: unknown[] = [];
  const log = { warn: (...line: unknown[]) => void warned.push(line) };
  const tracing = startTracing({ endpoint: new URL(collector.url).origin, service: 'test', log });
  const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
  try {
    await using service = await testApi();
    let answers = 0;
    await using receiver = await startReceiver((_request, response) => {
      answers += 1;
      response.writeHead(answers === 1 ? 500 : 200).end();
    });
    await using _worker = await testWorker(service.db.url, { retryScheduleSeconds: [0, 1] });
    const { key, webinar } = await createTestWorld(service);
    await callRest(service, `POST /webinars/${webinar.id}/webhooks`, {
      key,
      body: { url: receiver.url, eventTypes: ['registered'] },
    });
    await callRest(service, `POST /webinars/${webinar.id}/registrations`, {
      key,
      body: { name: 'Ada', email: 'ada@example.com', sessionTime: webinar.sessionTime },
      headers: { traceparent: `00-${traceId}-00f067aa0ba902b7-01` },
    });
    await eventually('both attempts', () => receiver.received.length === 2);
    expect(receiver.received[0]!.headers['traceparent']).toBeUndefined();
  } finally {
    await tracing.close();
  }

  expect(collector.received.every(({ path }) => path === '/v1/traces')).toBe(true);
  const spans = spansOf(collector).filter((span) => span.traceId === traceId);
  const byName = new Map(spans.map((span) => [span.name, span]));
  const [request, event, delivery] = ['POST rest', 'event registered', 'delivery registered'].map((name) =>
    byName.get(name)!,
  );
  const attempts = spans.filter(({ name }) => name === 'attempt');
  expect(spans).toHaveLength(5);
  expect(request).toMatchObject({ parentSpanId: '00f067aa0ba902b7', kind: 2 });
  expect(event).toMatchObject({ parentSpanId: request!.spanId });
  expect(delivery).toMatchObject({ parentSpanId: event!.spanId, kind: 4 });
  expect(attempts.map(({ parentSpanId, kind, status }) => [parentSpanId, kind, status])).toEqual([
    [delivery!.spanId, 3, { code: 2 }],
    [delivery!.spanId, 3, {}],
  ]);
  for (const { startTimeUnixNano: start, endTimeUnixNano: end } of spans)
    expect(BigInt(end)).toBeGreaterThanOrEqual(BigInt(start));
  // No path, token or address of a person.
  expect(JSON.stringify(spansOf(collector))).not.toMatch(/ada@example\.com|svc_|\/api/);
  expect(warned).toEqual([]);
});

test('without a collector a delivery has no trace, also if its caller sends one', async () => {
  await using service = await testApi();
  const { key, webinar } = await createTestWorld(service);
  await callRest(service, `POST /webinars/${webinar.id}/webhooks`, {
    key,
    body: { url: 'http://127.0.0.1:9/', eventTypes: ['registered'] },
  });
  await callRest(service, `POST /webinars/${webinar.id}/registrations`, {
    key,
    body: { name: 'Ada', email: 'ada@example.com', sessionTime: webinar.sessionTime },
    headers: { traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01' },
  });
  const { rows } = await service.db.database.pool.query('select trace from deliveries.delivery');
  expect(rows).toEqual([{ trace: null }]);
});
