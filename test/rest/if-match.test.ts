import type { OpenApiDocument } from '@service/rest';
import { expect } from 'vitest';
import { callRest, createTestAccount, createTestKey } from '../support/api.ts';
import { createEverything, pathOf } from '../support/everything.ts';
import { startReceiver } from '../support/receiver.ts';
import { test } from '../support/service-test.ts';

const etagOf = (answer: { headers: Headers }): string => answer.headers.get('etag')!;

const versionIn = (answer: { headers: Headers }): string | undefined => etagOf(answer).split('.')[0];

test('a change of the version that it began with is saved, a change of an earlier one is answered 412 with the current record', async ({
  service,
}) => {
  const { key } = await createTestKey(service, (await createTestAccount(service)).accountId);
  const created = await callRest(service, 'POST /webinars', { key, body: { title: 'First' } });
  const path = `/webinars/${created.json.data.id}`;
  const patch = (title: string, headers: Record<string, string> = {}) =>
    callRest(service, `PATCH ${path}`, { key, body: { title }, headers });

  expect(etagOf(created)).toMatch(/^"[0-9a-f]{16}\.[^"]+"$/);
  const second = await patch('Second', { 'If-Match': etagOf(created) });
  expect(second.status).toBe(200);
  const late = await patch('Late', { 'If-Match': etagOf(created) });
  expect([late.status, late.json.code, late.json.data.title]).toEqual([412, 'precondition_failed', 'Second']);
  const read = await callRest(service, `GET ${path}`, { key });
  expect(read.json.data).toEqual(late.json.data);
  expect((await patch('Third', { 'If-Match': etagOf(late) })).status).toBe(200);
  expect((await patch('Fourth', { 'If-Match': etagOf(read) })).status).toBe(412);
  expect((await patch('Fifth')).status).toBe(200);
  expect((await patch('Sixth', { 'If-Match': '*' })).json.data.title).toBe('Sixth');
});

test('of simultaneous changes of one version exactly one is saved', async ({
  service,
  world: { key, webinar },
}) => {
  const path = `/webinars/${webinar.id}`;
  for (let round = 0; round < 5; round += 1) {
    const tag = etagOf(await callRest(service, `GET ${path}`, { key }));
    const answers = await Promise.all(
      ['A', 'B', 'C', 'D'].map((name) =>
        callRest(service, `PATCH ${path}`, {
          key,
          body: { title: `${name} ${round}` },
          headers: { 'If-Match': tag },
        }),
      ),
    );
    const saved = answers.filter(({ status }) => status === 200);
    expect([saved.length, answers.filter(({ status }) => status === 412).length]).toEqual([1, 3]);
    const read = await callRest(service, `GET ${path}`, { key });
    expect(read.json.data.title).toBe(saved[0]!.json.data.title);
  }
});

test('publishing, the next session and bookings do not change the version of a webinar', async ({
  service,
  world: { key, webinar },
}) => {
  const path = `/webinars/${webinar.id}`;
  const before = etagOf(await callRest(service, `GET ${path}`, { key }));
  const unpublished = await callRest(service, `POST ${path}/unpublish`, { key });
  expect(etagOf(unpublished)).not.toBe(before);
  const cached = await callRest(service, `GET ${path}`, { key, headers: { 'If-None-Match': before } });
  expect(cached.status).toBe(200);
  const changed = await callRest(service, `PATCH ${path}`, {
    key,
    body: { title: 'Renamed' },
    headers: { 'If-Match': before },
  });
  expect(changed.status).toBe(200);
});

test('an unchanged record is answered 304 for its strong ETag, also for the weak form that a proxy makes of it', async ({
  service,
  world: { key, webinar },
}) => {
  const tag = etagOf(await callRest(service, `GET /webinars/${webinar.id}`, { key }));
  for (const given of [tag, `W/${tag}`]) {
    const headers = { 'If-None-Match': given };
    const again = await callRest(service, `GET /webinars/${webinar.id}`, { key, headers });
    expect([again.status, etagOf(again)]).toEqual([304, tag]);
  }
});

test('a repeated request with an Idempotency-Key gets its first answer, saved or refused', async ({
  service,
  world: { key, webinar },
}) => {
  const path = `/webinars/${webinar.id}`;
  const first = etagOf(await callRest(service, `GET ${path}`, { key }));
  const send = (title: string, headers: Record<string, string>) =>
    callRest(service, `PATCH ${path}`, { key, body: { title }, headers });

  const saved = await send('Saved', { 'If-Match': first, 'Idempotency-Key': 'saved' });
  const refused = await send('Refused', { 'If-Match': first, 'Idempotency-Key': 'refused' });
  expect([saved.status, refused.status]).toEqual([200, 412]);
  const savedAgain = await send('Saved', { 'If-Match': first, 'Idempotency-Key': 'saved' });
  const refusedAgain = await send('Refused', { 'If-Match': first, 'Idempotency-Key': 'refused' });
  expect([savedAgain.status, savedAgain.text, etagOf(savedAgain)]).toEqual([200, saved.text, etagOf(saved)]);
  expect([refusedAgain.status, refusedAgain.text]).toEqual([412, refused.text]);
  expect(refusedAgain.headers.get('idempotent-replayed')).toBe('true');
  // Another version is another request.
  const other = await send('Refused', { 'If-Match': etagOf(saved), 'Idempotency-Key': 'refused' });
  expect([other.status, other.json.code]).toEqual([409, 'idempotency_key_reused']);
});

test('every route that changes a record reads If-Match, and every record has the same version in each of its answers', async ({
  service,
}) => {
  await using receiver = await startReceiver();
  const { key, ids, bodies } = await createEverything(service, receiver.url);
  const document = (await (await fetch(`${service.baseUrl}/api/v1/openapi.json`)).json()) as OpenApiDocument;
  const templates = Object.entries(document.paths)
    .filter(([, operations]) => operations['patch'])
    .map(([template]) => template);
  expect(templates.length).toBeGreaterThanOrEqual(10);
  for (const template of templates) {
    const path = pathOf(template, ids);
    const body = bodies[`PATCH ${template}`];
    const before = await callRest(service, `GET ${path}`, { key });
    const refused = await callRest(service, `PATCH ${path}`, {
      key,
      body,
      headers: { 'If-Match': '"other"' },
    });
    expect([template, refused.status, versionIn(refused)]).toEqual([template, 412, versionIn(before)]);
    const headers = { 'If-Match': etagOf(before) };
    const saved = await callRest(service, `PATCH ${path}`, { key, body, headers });
    expect([template, saved.status]).toEqual([template, 200]);
    const after = await callRest(service, `GET ${path}`, { key });
    expect([template, versionIn(saved)]).toEqual([template, versionIn(after)]);
  }
});
