import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createMemoryFile, sendMemoryFile } from './memory-file.ts';

const bytes = Buffer.from('0123456789'.repeat(20_000));
const modifiedAt = new Date('2026-11-25T12:00:00Z');
const files = {
  '/film.webm': createMemoryFile({ type: 'webm', bytes, modifiedAt }),
  '/page.html': createMemoryFile({ type: 'html', bytes, modifiedAt }),
};

const app = express().use((request, response) =>
  sendMemoryFile(request, response, files[request.path as keyof typeof files]),
);
const server = createServer(app);
beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterAll(() => void server.close());

async function read(path: string, headers: Record<string, string> = {}) {
  const { port } = server.address() as AddressInfo;
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, { headers });
  const body = await answer.text();
  return { status: answer.status, range: answer.headers.get('content-range'), body, headers: answer.headers };
}

test('a player gets the part of a video that it asks for', async () => {
  const parts = { 'bytes=10-14': '01234', 'bytes=-3': '789', 'bytes=199998-': '89' };
  for (const [range, body] of Object.entries(parts))
    expect(await read('/film.webm', { Range: range })).toMatchObject({ status: 206, body });
  const { range, headers } = await read('/film.webm', { Range: 'bytes=0-' });
  expect([range, headers.get('content-length'), headers.get('accept-ranges')]).toEqual([
    'bytes 0-199999/200000',
    '200000',
    'bytes',
  ]);
});

test('a range beyond the end is refused with the size, and a broken one or several get the whole file', async () => {
  expect(await read('/film.webm', { Range: 'bytes=200000-' })).toMatchObject({
    status: 416,
    range: 'bytes */200000',
    body: '',
  });
  for (const range of ['bytes=a-b', 'lines=1-2', 'bytes=0-1,100-101'])
    expect((await read('/film.webm', { Range: range })).body).toHaveLength(bytes.length);
});

test('a part of an older version is not mixed with this one', async () => {
  const older = { Range: 'bytes=0-1', 'If-Range': new Date(0).toUTCString() };
  expect(await read('/film.webm', older)).toMatchObject({ status: 200, range: null });
  const same = { Range: 'bytes=0-1', 'If-Range': modifiedAt.toUTCString() };
  expect(await read('/film.webm', same)).toMatchObject({ status: 206, body: '01' });
});

test('other files are always whole', async () => {
  expect(await read('/page.html', { Range: 'bytes=0-1' })).toMatchObject({ status: 200, range: null });
});
