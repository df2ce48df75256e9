import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { currentTraceparent, isTracing, runInSpan, startSpan, startTracing } from './tracing.ts';

async function listen(listener: RequestListener): Promise<{ server: Server; endpoint: string }> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return { server, endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

test('a collector that refuses spans fails no work and is named in the log', async () => {
  const { endpoint } = await listen((request, response) => {
    request.resume();
    response.writeHead(503).end();
  });
  const warned: { dropped: number }[] = [];
  const log = { warn: (line: { dropped: number }) => void warned.push(line) };
  const tracing = startTracing({ endpoint, service: 'test', log: log as never });
  startSpan('work')!.end();
  await tracing.close();
  expect(warned).toMatchObject([{ dropped: 1 }]);
  expect([isTracing(), startSpan('late'), currentTraceparent()]).toEqual([false, undefined, undefined]);
});

test('at most 4,096 spans wait, and a trace that its caller does not sample is not sent', async () => {
  let sent = 0;
  const { endpoint } = await listen((request, response) => {
    let text = '';
    request.on('data', (chunk: Buffer) => (text += chunk.toString()));
    request.on('end', () => {
      sent += text.split('"spanId"').length - 1;
      response.end('{}');
    });
  });
  const tracing = startTracing({ endpoint, service: 'test', log: { warn: () => undefined } });
  const parent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-00';
  const unsampled = startSpan('other', { parent })!;
  runInSpan(unsampled, () => startSpan('child')!.end());
  unsampled.end();
  expect(unsampled.traceparent).toMatch(/^00-4bf92f3577b34da6a3ce929d0e0e4736-[0-9a-f]{16}-00$/);
  for (let count = 0; count < 5000; count += 1) startSpan('work')!.end();
  await tracing.close();
  expect(sent).toBe(4096);
});
