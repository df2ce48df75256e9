import { once } from 'node:events';
import { createServer, type RequestListener, type ServerOptions } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { connectionLimitsFor, createConnections } from '@service/lifecycle';
import { expect, test } from 'vitest';
import { answerClientErrors } from './refusals.ts';

const docsUrl = 'http://localhost/docs';

/** A server that ends with its connection. Returns all that it sends for these bytes, and for those that follow the first answer. */
async function exchange(handler: RequestListener, bytes: string, then?: string, options: ServerOptions = {}) {
  const server = createServer(options);
  const connections = createConnections({ limits: connectionLimitsFor(undefined) });
  connections.serve(server, handler);
  answerClientErrors(server, { docsUrl, responseOf: connections.responseOf });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  let answer = '';
  socket.on('error', () => undefined);
  socket.on('data', (chunk) => {
    if (answer === '' && then !== undefined) socket.write(then);
    answer += chunk;
  });
  socket.write(bytes);
  await once(socket, 'close');
  connections.close();
  server.close();
  return answer;
}

test.each([
  ['headers', 'GET / HTTP/1.1\r\nHost: x\r\n'],
  ['a body', 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\n12345'],
])('a request whose %s do not arrive in time gets 408 as JSON', async (_what, bytes) => {
  const limits = { headersTimeout: 20, requestTimeout: 40, connectionsCheckingInterval: 10 };
  const answer = await exchange(() => undefined, bytes, undefined, limits);
  expect(answer).toMatch(/^HTTP\/1.1 408 Request Timeout\r\n/);
  expect(JSON.parse(answer.split('\r\n\r\n')[1]!)).toMatchObject({
    code: 'request_timeout',
    message: 'The request did not arrive in time.',
    docUrl: `${docsUrl}/errors#request_timeout`,
  });
});

const request = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n';

test.each([
  ['no request', 'no request\r\n\r\n'],
  ['a request that waits, and then no request', `${request}no request\r\n\r\n`],
])('no second answer follows an answer that has begun: %s', async (_what, then) => {
  const answer = await exchange(
    (_request, response) => void response.writeHead(200).write('first'),
    request,
    then,
  );
  expect(answer.match(/HTTP\/1\.1/g)).toHaveLength(1);
});
