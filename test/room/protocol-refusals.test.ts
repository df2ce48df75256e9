import { restErrorCatalogue } from '@service/composition';
import { httpStatusByKind } from '@service/errors';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Attendee, RoomAnswer } from '../support/attendee.ts';
import { createWorld, type World } from '../support/world.ts';

let world: World;
let ada: Attendee;
beforeAll(async () => {
  world = await createWorld();
  ada = await world.attend();
  world.startSession();
});
afterAll(() => world[Symbol.asyncDispose]());

const none = '01a20019-f73d-7328-b7cf-2d244c69bf30';
const jsonType = { 'Content-Type': 'application/json' };
const postPaths = ['/visits', '/heartbeats', '/leave', '/messages'].concat(
  ['views', 'clicks', 'answers'].map((action) => `/interactions/${none}/${action}`),
  `/branches/${none}`,
);

const post = (path: string, body: string, headers: Record<string, string> = jsonType) =>
  ada.call(`POST ${path}`, { body, headers });

/** Status and code. The rest is the same for every error. */
function refusalOf({ status, headers, json }: RoomAnswer): [number, string] {
  const { code, requestId } = json as { code: string; requestId: string };
  expect(json).toMatchObject({
    message: expect.any(String),
    docUrl: `${world.service.baseUrl}/api/v1/docs/errors#${code}`,
  });
  expect(headers.get('x-request-id')).toBe(requestId);
  expect(headers.get('cache-control')).toBe('no-store');
  expect(httpStatusByKind[restErrorCatalogue[code]!.kind]).toBe(status);
  return [status, code];
}

test('a body that is not JSON, not an object or nested too deeply is malformed', async () => {
  const bodies: [string, string][] = [
    ['{', 'malformed_json'],
    ['\u00ff{}', 'malformed_json'],
    ['[]', 'malformed_request'],
    ['"x"', 'malformed_request'],
    [`{"a":${'['.repeat(1000)}${']'.repeat(1000)}}`, 'malformed_request'],
  ];
  for (const path of postPaths)
    for (const [body, code] of bodies) expect(refusalOf(await post(path, body)), path).toEqual([400, code]);
});

test('a body over 64 KB is refused, with or without Content-Length', async () => {
  const fits = '{}'.padEnd(64 * 1024);
  expect((await post('/visits', fits)).status).toBe(201);
  expect(refusalOf(await post('/visits', `${fits} `))).toEqual([413, 'body_too_large']);
  const body = new Blob([`${fits} `]).stream();
  const streamed = await ada.call('POST /visits', { body, headers: jsonType, duplex: 'half' });
  expect(refusalOf(streamed)).toEqual([413, 'body_too_large']);
});

test('other content types are refused, and plain text is accepted only for the last heartbeat of a page', async () => {
  const plain = { 'Content-Type': 'text/plain' };
  for (const path of postPaths.filter((path) => path !== '/leave'))
    expect(refusalOf(await post(path, '{}', plain)), path).toEqual([415, 'unsupported_media_type']);
  expect(refusalOf(await post('/leave', '{}', plain))).toEqual([422, 'validation_failed']);
  for (const type of ['text/html', 'application/x-www-form-urlencoded', 'text/plain;charset=utf-16'])
    expect(refusalOf(await post('/leave', '{}', { 'Content-Type': type }))[0], type).toBe(415);
});

test('all problems of a body are reported at once', async () => {
  const wrong = {
    visitId: 'x',
    seq: 0,
    playheadSeconds: -1,
    intervals: [[0], [5, 'x']],
    state: 'gone',
    visible: 1,
  };
  for (const path of ['/heartbeats', '/leave']) {
    const answer = await post(path, JSON.stringify(wrong));
    expect(refusalOf(answer)).toEqual([422, 'validation_failed']);
    const issues = answer.json.issues as { path: string }[];
    const paths = issues.map((issue) => issue.path.split('.')[0]!);
    expect([...new Set(paths)].toSorted(), path).toEqual(Object.keys(wrong).toSorted());
  }
  const texts = ['', '   ', 'x'.repeat(1001), 'a\0b', '\ud800'];
  for (const text of texts)
    expect(refusalOf(await post('/messages', JSON.stringify({ text }))), text).toEqual([
      422,
      'validation_failed',
    ]);
  expect(refusalOf(await post(`/interactions/${none}/answers`, '{}'))[0]).toBe(422);
});

test('a path accepts one method, and the answer says which', async () => {
  const paths: [string, string][] = [
    ...postPaths.map((path): [string, string] => [path, 'POST']),
    ['/events', 'GET'],
  ];
  for (const [path, allowed] of paths) {
    for (const method of ['GET', 'POST', 'PUT', 'DELETE'].filter((one) => one !== allowed)) {
      const answer = await ada.call(`${method} ${path}`);
      expect(refusalOf(answer), `${method} ${path}`).toEqual([405, 'method_not_allowed']);
      expect(answer.headers.get('allow')).toBe(allowed);
    }
    expect((await ada.call(`HEAD ${path}`)).status, `HEAD ${path}`).toBe(405);
    const preflight = await ada.call(`OPTIONS ${path}`);
    expect([preflight.status, preflight.headers.get('access-control-allow-origin')]).toEqual([204, '*']);
    expect(preflight.headers.get('access-control-allow-credentials')).toBeNull();
  }
});

test('an unknown path answers 404 in JSON, never a page', async () => {
  const paths = ['/nothing', '/visits/', '/Visits', '/interactions', '/branches', '/events/x'];
  for (const path of paths) {
    const answer = await ada.call(`GET ${path}`);
    expect([answer.status, answer.json.code], path).toEqual([404, 'not_found']);
  }
  for (const path of [
    '/interactions/x/clicks',
    '/interactions/x/views',
    `/interactions/${none}0/answers`,
    '/branches/1',
  ])
    expect(refusalOf(await post(path, '{}')), path).toEqual([404, 'not_found']);
  expect(refusalOf(await ada.click(none))).toEqual([404, 'interaction_not_found']);
  expect(refusalOf(await ada.view(none))).toEqual([404, 'interaction_not_found']);
  expect(refusalOf(await ada.answer(none, 'a'))).toEqual([404, 'interaction_not_found']);
  expect(refusalOf(await ada.take(none))).toEqual([404, 'branch_not_found']);
  const beat = { visitId: none, seq: 1, playheadSeconds: 0, intervals: [], state: 'playing' };
  for (const path of ['/heartbeats', '/leave'])
    expect(refusalOf(await post(path, JSON.stringify(beat))), path).toEqual([404, 'visit_not_found']);
});

test('before the session starts, an attendee can enter and nothing else', async () => {
  await using early = await createWorld();
  const offer = await early.interaction({ type: 'cta', url: 'https://shop.example/', buttonLabel: 'Go' });
  const bob = await early.attend();
  expect((await bob.visit()).json.session.status).toBe('scheduled');
  for (const answer of [await bob.view(offer), await bob.click(offer), await bob.say('Hello?')]) {
    expect([answer.status, answer.json.code]).toEqual([409, 'session_not_live']);
    expect(answer.json.details).toEqual({ status: 'scheduled' });
  }
});

test('a poll accepts one answer, a chat that is off no message, a closed room no attendee', async () => {
  await using strict = await createWorld({ webinar: { room: { chatMode: 'off', lateJoin: 'closed' } } });
  const options = [
    { id: 'yes', label: 'Yes' },
    { id: 'no', label: 'No' },
  ];
  const poll = await strict.interaction({ type: 'poll', options });
  const [bob, late] = [await strict.attend(), await strict.attend('late@example.com')];
  await bob.visit();
  strict.startSession();
  expect((await bob.answer(poll, 'yes')).status).toBe(201);
  const refused = [await bob.answer(poll, 'no'), await bob.answer(poll, 'maybe'), await bob.say('Hello')];
  expect([...refused, await late.visit()].map(({ status, json }) => [status, json.code])).toEqual([
    [409, 'poll_answered'],
    [422, 'validation_failed'],
    [409, 'chat_off'],
    [409, 'room_closed'],
  ]);
});
