import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { answerClientErrors } from './client-error.ts';

const docsUrl = 'http://localhost/docs';

test.each([
  ['headers', 'GET / HTTP/1.1\r\nHost: x\r\n'],
  ['a body', 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\n12345'],
])('a request whose %s do not arrive in time gets 408 as JSON', async (_what, bytes) => {
  const limits = { headersTimeout: 20, requestTimeout: 40, connectionsCheckingInterval: 10 };
  const server = createServer(limits, () => undefined);
  answerClientErrors(server, { docsUrl });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  let answer = '';
  socket.on('data', (chunk) => (answer += chunk));
  socket.write(bytes);
  await once(socket, 'close');
  server.close();
  expect(answer).toMatch(/^HTTP\/1.1 408 Request Timeout\r\n/);
  expect(JSON.parse(answer.split('\r\n\r\n')[1]!)).toMatchObject({
    code: 'request_timeout',
    message: 'The request did not arrive in time.',
    docUrl: `${docsUrl}#api-1/description/request-timeout`,
  });
});

test('no second answer follows an answer that has begun', async () => {
  const server = createServer((_request, response) => void response.writeHead(200).write('first'));
  answerClientErrors(server, { docsUrl });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  let answer = '';
  socket.on('error', () => undefined);
  socket.on('data', (chunk) => {
    if (answer === '') socket.write('no request\r\n\r\n');
    answer += chunk;
  });
  socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  await once(socket, 'close');
  server.close();
  expect(answer.match(/HTTP\/1\.1/g)).toHaveLength(1);
});
