import { expect, test } from 'vitest';
import { createOutboundPolicy } from './index.ts';
import { certificate } from './testing/certificate.ts';
import { startReceiver } from './testing/receiver.ts';
import { createSender, createTableResolver, strictPolicy } from './testing/test-sender.ts';

test.each([301, 302, 307, 308])('a %i keeps method, body and signature', async (status) => {
  const target = await startReceiver((response) => response.end('arrived'));
  const first = await startReceiver((response) =>
    response.writeHead(status, { location: `${target.url}/b?c#d` }).end(),
  );
  const outcome = await createSender()(`${first.url}/a`, { body: 'the body' });
  expect(outcome).toMatchObject({ statusCode: 200, snippet: 'arrived', redirects: [`${target.url}/b?c`] });
  expect(target.requests).toMatchObject([
    {
      method: 'POST',
      path: '/b?c',
      body: 'the body',
      headers: { 'x-service-signature': 'sha256=00', host: `127.0.0.1:${target.port}` },
    },
  ]);
});

test('a redirect on the same origin uses the same connection', async () => {
  const receiver = await startReceiver((response, { path }) => {
    if (path === '/a') response.writeHead(308, { location: 'b' }).end('moved');
    else response.end();
  });
  expect(await createSender()(`${receiver.url}/a`)).toMatchObject({ redirects: [`${receiver.url}/b`] });
  expect(receiver.connections).toBe(1);
});

test.each([300, 303, 304, 305])('a %i is final', async (status) => {
  const receiver = await startReceiver((response) =>
    response.writeHead(status, { location: '/elsewhere' }).end(),
  );
  const outcome = await createSender()(receiver.url);
  expect(outcome).toMatchObject({ kind: 'response', statusCode: status, redirects: [] });
  expect(receiver.requests).toHaveLength(1);
});

test('a redirect that says not where is final', async () => {
  const receiver = await startReceiver((response) => response.writeHead(302).end());
  expect(await createSender()(receiver.url)).toMatchObject({ kind: 'response', statusCode: 302 });
});

test('three redirects are followed, a fourth is not', async () => {
  const receiver = await startReceiver((response, { path }) => {
    const step = Number(path.slice(1));
    if (step === 0) response.end('there');
    else response.writeHead(302, { location: `/${step - 1}` }).end();
  });
  const { url } = receiver;
  expect(await createSender()(`${url}/3`)).toMatchObject({
    statusCode: 200,
    redirects: [`${url}/2`, `${url}/1`, `${url}/0`],
  });
  expect(await createSender()(`${url}/4`)).toMatchObject({
    kind: 'failed',
    failure: 'too_many_redirects',
    redirects: [`${url}/3`, `${url}/2`, `${url}/1`],
  });
});

test('a redirect that leads to itself ends with the last one that is followed', async () => {
  const receiver = await startReceiver((response) => response.writeHead(307, { location: '' }).end());
  const outcome = await createSender()(`${receiver.url}/loop`);
  const at = `${receiver.url}/loop`;
  expect(outcome).toMatchObject({ failure: 'too_many_redirects', redirects: [at, at, at] });
  expect(receiver.requests).toHaveLength(4);
});

test('a redirect without a scheme is checked as the host that it names', async () => {
  const inside = await startReceiver((response) => response.end('secret'), { everywhere: true });
  let location = '';
  const first = await startReceiver((response) => response.writeHead(307, { location }).end());
  const policy = createOutboundPolicy({ allowedCidrs: ['127.0.0.1/32'], allowHttp: true });
  const send = createSender({ policy });
  for (const slashes of ['//', '\\\\', '/\\', 'http:\\\\', 'http:///']) {
    location = `${slashes}127.0.0.2:${inside.port}/`;
    const outcome = await send(first.url);
    expect(outcome, location).toMatchObject({ failure: 'blocked_address', redirects: [expect.any(String)] });
  }
  expect(inside.connections).toBe(0);
});

test('a redirect is refused when its form is', async () => {
  let location = '';
  const receiver = await startReceiver((response) => response.writeHead(302, { location }).end(), {
    tls: true,
  });
  const policy = createOutboundPolicy({ allowedCidrs: ['127.0.0.1/32'], allowHttp: false });
  const resolver = createTableResolver({ 'receiver.test': [['127.0.0.1']] });
  const send = createSender({ policy, resolver, ca: certificate });
  const forms = [
    'http://receiver.test/',
    'ftp://receiver.test/',
    'javascript:alert(1)',
    'https://user:secret@receiver.test/',
    'https://[::1/',
    'https://receiver.test:0/',
    `https://receiver.test/${'a'.repeat(2048)}`,
  ];
  for (const form of forms) {
    location = form;
    const outcome = await send(`https://receiver.test:${receiver.port}/`);
    expect(outcome, form).toMatchObject({ kind: 'failed', failure: 'invalid_redirect', redirects: [] });
  }
});

test('the deadline covers all hops together', async () => {
  const receiver = await startReceiver((response) => {
    setTimeout(() => response.writeHead(302, { location: '/again' }).end(), 90);
  });
  // Each hop alone is well within it, so a deadline for each would end in too many redirects.
  const outcome = await createSender()(receiver.url, { deadlineMs: 220 });
  expect(outcome).toMatchObject({ kind: 'failed', failure: 'timeout' });
});

test('a redirect whose body never ends is a timeout, and a long one is cut and followed', async () => {
  const receiver = await startReceiver((response, { path }) => {
    if (path === '/end') response.end('there');
    else response.writeHead(302, { location: '/end' }).write(path === '/long' ? 'x'.repeat(100_000) : 'x');
  });
  expect(await createSender()(`${receiver.url}/drip`, { deadlineMs: 150 })).toMatchObject({
    failure: 'timeout',
    message: 'No answer came within 150 ms.',
    redirects: [],
  });
  expect(await createSender()(`${receiver.url}/long`)).toMatchObject({ snippet: 'there' });
});

test('a name is checked again on a later hop', async () => {
  const inside = await startReceiver((response) => response.end('secret'));
  const resolver = createTableResolver({ 'flip.example': [['127.0.0.1'], ['127.0.0.1']] });
  const outcome = await createSender({ policy: strictPolicy, resolver })(
    `http://flip.example:${inside.port}/`,
  );
  expect(outcome).toMatchObject({ failure: 'blocked_address' });
  expect(inside.connections).toBe(0);
});
