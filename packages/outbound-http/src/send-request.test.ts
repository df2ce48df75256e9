import { expect, test } from 'vitest';
import { createOutboundAgent, createResolver, sendRequest } from './index.ts';
import { startReceiver, startTcpServer } from './testing/receiver.ts';
import { createSender, createTableResolver, localPolicy } from './testing/test-sender.ts';

test('a request arrives unchanged, and its answer is returned', async () => {
  const receiver = await startReceiver((response) => {
    response.writeHead(201, { 'retry-after': '5' }).end('thank you');
  });
  const outcome = await createSender()(`${receiver.url}/hook?a=b#part`, { body: '{"name":"Zoë"}' });
  expect(outcome).toMatchObject({
    kind: 'response',
    statusCode: 201,
    headers: { 'retry-after': '5' },
    snippet: 'thank you',
    truncated: false,
    redirects: [],
    durationMs: expect.any(Number),
  });
  const [request] = receiver.requests;
  expect(request).toMatchObject({ method: 'POST', path: '/hook?a=b', body: '{"name":"Zoë"}' });
  expect(Object.keys(request!.headers).toSorted()).toEqual([
    'connection',
    'content-length',
    'content-type',
    'host',
    'x-service-signature',
  ]);
});

test('an error status is a response, not a failure', async () => {
  const receiver = await startReceiver((response) => response.writeHead(500).end('broken'));
  expect(await createSender()(receiver.url)).toMatchObject({
    kind: 'response',
    statusCode: 500,
    snippet: 'broken',
  });
});

test('early hints are not the answer', async () => {
  const receiver = await startReceiver((response) => {
    response.writeEarlyHints({ link: '</style.css>; rel=preload' });
    response.writeHead(204).end();
  });
  expect(await createSender()(receiver.url)).toMatchObject({
    kind: 'response',
    statusCode: 204,
    snippet: '',
  });
  const port = await startTcpServer((socket) => socket.write('HTTP/1.1 103 Early Hints\r\n\r\n'));
  const hintsOnly = await createSender()(`http://127.0.0.1:${port}/`, { deadlineMs: 150 });
  expect(hintsOnly).toMatchObject({ kind: 'failed', failure: 'timeout' });
});

test('each kind of missing answer has its own failure', async () => {
  const send = createSender({ resolver: createTableResolver({}) });
  expect(await send('http://nowhere.example/')).toMatchObject({ failure: 'dns', mayHaveArrived: false });

  const closes = await startTcpServer((socket) => socket.on('data', () => socket.destroy()));
  expect(await send(`http://127.0.0.1:${closes}/`)).toMatchObject({ failure: 'reset', mayHaveArrived: true });
  expect(await send(`https://127.0.0.1:${closes}/`)).toMatchObject({ failure: 'tls', mayHaveArrived: false });

  const silent = await startTcpServer(() => undefined);
  expect(await send(`http://127.0.0.1:${silent}/`, { deadlineMs: 100 })).toMatchObject({
    failure: 'timeout',
    mayHaveArrived: true,
  });

  const greets = await startTcpServer((socket) => socket.write('220 mail.example ESMTP\r\n'));
  expect(await send(`http://127.0.0.1:${greets}/`)).toMatchObject({ failure: 'reset' });
  expect(await send(`https://127.0.0.1:${greets}/`)).toMatchObject({ failure: 'tls' });

  // Port 1 of loopback has no listener.
  const refused = await send('http://127.0.0.1:1/');
  expect(refused).toMatchObject({
    failure: 'connect',
    message: 'No connection could be made (ECONNREFUSED).',
  });
});

test('a closed agent and an invalid header are errors of the service', async () => {
  const receiver = await startReceiver((response) => response.end());
  await expect(createSender()(receiver.url, { headers: { 'bad header': 'x' } })).rejects.toThrow(
    'invalid header key',
  );
  const agent = createOutboundAgent({ policy: localPolicy, resolver: createResolver() });
  await agent.close();
  const closed = sendRequest({
    agent,
    url: receiver.url,
    method: 'POST',
    headers: {},
    body: '',
    deadlineMs: 100,
  });
  await expect(closed).rejects.toMatchObject({ code: 'UND_ERR_DESTROYED' });
});
