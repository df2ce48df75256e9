import { expect, test } from 'vitest';
import { callRest, createTestKey, createTestWebinar, createTestWorld, testApi } from '../support/api.ts';
import { common, types } from './interaction-types.ts';

test('an interaction of each type is made, read, changed and deleted, under /interactions and under its own name', async () => {
  await using service = await testApi();
  const { key, webinar } = await createTestWorld(service);
  for (const { type, path, fields, added } of types) {
    for (const place of ['interactions', path]) {
      const at = `/webinars/${webinar.id}/${place}`;
      const body = { ...common, ...fields, ...(place === 'interactions' && { type }) };
      const created = await callRest(service, `POST ${at}`, { key, body });
      expect(created.status, at).toBe(201);
      const { id, createdAt, updatedAt } = created.json.data;
      expect(created.json.data, at).toStrictEqual({
        id,
        webinarId: webinar.id,
        type,
        ...common,
        segmentId: null,
        body: null,
        hideAtSeconds: null,
        enabled: true,
        availableInReplay: true,
        display: 'popup',
        dismissible: true,
        showWhen: [],
        ...fields,
        ...added,
        createdAt,
        updatedAt,
      });
      expect(created.headers.get('location')).toBe(`/api/v1${at}/${id}`);
      expect((await callRest(service, `GET ${at}/${id}`, { key })).json).toStrictEqual(created.json);

      const changes = { enabled: false, hideAtSeconds: 90, display: 'banner' };
      const changed = await callRest(service, `PATCH ${at}/${id}`, { key, body: changes });
      expect(changed.status, at).toBe(200);
      expect(changed.json.data).toStrictEqual({
        ...created.json.data,
        ...changes,
        updatedAt: changed.json.data.updatedAt,
      });
      expect(changed.json.data.updatedAt > updatedAt).toBe(true);

      const deleted = await callRest(service, `DELETE ${at}/${id}`, { key });
      expect([deleted.status, deleted.text]).toEqual([204, '']);
      const gone = await callRest(service, `DELETE ${at}/${id}`, { key });
      expect([gone.status, gone.json.code]).toEqual([404, 'interaction_not_found']);
    }
  }
});

test('all fields of an offer are returned as given', async () => {
  await using service = await testApi();
  const { key, webinar } = await createTestWorld(service);
  const full = {
    ...common,
    body: 'Only today — “half price” 🎉',
    showAtSeconds: 0,
    hideAtSeconds: 1,
    enabled: false,
    availableInReplay: false,
    display: 'panel',
    dismissible: false,
    showWhen: [
      { field: 'watchedPercent', operator: 'gte', value: 50 },
      { field: 'joined', operator: 'eq', value: true },
      { field: 'utm.source', operator: 'in', value: ['mail', 'ads'] },
      { field: 'customFields.company', operator: 'exists', value: false },
      {
        field: 'pollAnswer',
        operator: 'eq',
        value: { interactionId: '019aa1c2-0000-7000-8000-000000000002', optionId: 'yes' },
      },
    ],
    url: 'https://example.com/buy?a=b&c=%20d',
    buttonLabel: 'Buy',
    priceMinor: 0,
    imageUrl: 'https://example.com/a.png',
    productRefs: ['sku-1', 'sku-2'],
    couponCode: 'HALF',
    countdownSeconds: 600,
  };
  const body = { ...full, currency: 'eur' };
  const { json } = await callRest(service, `POST /webinars/${webinar.id}/offers`, { key, body });
  expect(json.data).toMatchObject({ ...full, currency: 'EUR' });
  const at = `/webinars/${webinar.id}/interactions/${json.data.id}`;
  const cleared = { priceMinor: null, currency: null, hideAtSeconds: null, productRefs: [], showWhen: [] };
  const changed = await callRest(service, `PATCH ${at}`, { key, body: cleared });
  expect(changed.json.data).toStrictEqual({
    ...json.data,
    ...cleared,
    updatedAt: changed.json.data.updatedAt,
  });
});

test('poll options without an id get one, given ids are kept, and an update replaces all options', async () => {
  await using service = await testApi();
  const { key, webinar } = await createTestWorld(service);
  const body = { ...common, options: [{ label: 'Yes' }, { id: 'no', label: 'No' }] };
  const { data: poll } = (await callRest(service, `POST /webinars/${webinar.id}/polls`, { key, body })).json;
  expect(poll.options[1]).toEqual({ id: 'no', label: 'No' });
  expect(poll.options[0].id).toMatch(/^[\w-]{1,64}$/);
  const options = [poll.options[0], { label: 'Maybe' }];
  const at = `/webinars/${webinar.id}/polls/${poll.id}`;
  const { data: changed } = (await callRest(service, `PATCH ${at}`, { key, body: { options } })).json;
  expect(changed.options).toEqual([poll.options[0], { id: expect.any(String), label: 'Maybe' }]);
});

test('an interaction is found under its own type only', async () => {
  await using service = await testApi();
  const { key, webinar } = await createTestWorld(service);
  for (const { type, fields } of types) {
    const body = { type, ...common, ...fields };
    const { json } = await callRest(service, `POST /webinars/${webinar.id}/interactions`, { key, body });
    for (const other of types) {
      const at = `/webinars/${webinar.id}/${other.path}/${json.data.id}`;
      const status = other.type === type ? 200 : 404;
      expect((await callRest(service, `GET ${at}`, { key })).status, at).toBe(status);
      const change = { key, body: { enabled: false } };
      expect((await callRest(service, `PATCH ${at}`, change)).status, at).toBe(status);
      if (status === 404) expect((await callRest(service, `DELETE ${at}`, { key })).status, at).toBe(404);
    }
    const list = await callRest(service, `GET /webinars/${webinar.id}/${type}s`, { key });
    expect(list.json.data.map(({ id }: { id: string }) => id)).toEqual([json.data.id]);
  }
});

test('lists are newest first, in pages, and filtered by type and by enabled', async () => {
  await using service = await testApi();
  const { key, webinar } = await createTestWorld(service);
  const at = `/webinars/${webinar.id}`;
  for (let number = 0; number < 8; number += 1) {
    const { type, fields } = types[number % 4]!;
    const body = { type, ...common, ...fields, headline: `${number}`, enabled: number < 4 };
    expect((await callRest(service, `POST ${at}/interactions`, { key, body })).status).toBe(201);
  }
  const headlines = async (query: string): Promise<string> => {
    const { json } = await callRest(service, `GET ${at}/${query}`, { key });
    return json.data.map(({ headline }: { headline: string }) => headline).join('');
  };
  expect(await headlines('interactions')).toBe('76543210');
  expect(await headlines('interactions?type=poll')).toBe('62');
  expect(await headlines('interactions?enabled=true')).toBe('3210');
  expect(await headlines('interactions?type=cta&enabled=false')).toBe('5');
  expect(await headlines('offers?enabled=true')).toBe('0');

  const first = await callRest(service, `GET ${at}/interactions?enabled=false&limit=3`, { key });
  const { nextCursor } = first.json.pagination;
  expect(await headlines(`interactions?enabled=false&limit=3&cursor=${nextCursor}`)).toBe('4');
  const foreign = await callRest(service, `GET ${at}/interactions?enabled=true&cursor=${nextCursor}`, {
    key,
  });
  expect(foreign.status).toBe(400);
  for (const query of ['type=quiz', 'enabled=yes', 'kind=offer']) {
    expect((await callRest(service, `GET ${at}/interactions?${query}`, { key })).status, query).toBe(422);
  }
  expect((await callRest(service, `GET ${at}/offers?type=offer`, { key })).status).toBe(422);
});

test('an interaction of another webinar, another workspace or an archived webinar is not found', async () => {
  await using service = await testApi();
  const mine = await createTestWorld(service);
  const theirs = await createTestWorld(service);
  const other = await createTestWebinar(service, mine.accountId);
  const body = { ...common, url: 'https://example.com', buttonLabel: 'Buy' };
  const { json } = await callRest(service, `POST /webinars/${mine.webinar.id}/offers`, {
    key: mine.key,
    body,
  });
  const probe = async (key: string, webinarId: string): Promise<number[]> => {
    const one = `/webinars/${webinarId}/offers/${json.data.id}`;
    const answers = await Promise.all([
      callRest(service, `GET ${one}`, { key }),
      callRest(service, `PATCH ${one}`, { key, body: { enabled: false } }),
      callRest(service, `DELETE ${one}`, { key }),
      callRest(service, `GET /webinars/${webinarId}/interactions/${json.data.id}/stats`, { key }),
      callRest(service, `GET /webinars/${webinarId}/interactions/${json.data.id}/responses`, { key }),
    ]);
    return answers.map(({ status }) => status);
  };
  const nothing = [404, 404, 404, 404, 404];
  expect(await probe(mine.key, other.id)).toEqual(nothing);
  expect(await probe(theirs.key, mine.webinar.id)).toEqual(nothing);
  expect(await probe(theirs.key, theirs.webinar.id)).toEqual(nothing);
  await service.db.database.pool.query(`update webinars.webinar set status = 'archived' where id = $1`, [
    mine.webinar.id,
  ]);
  expect(await probe(mine.key, mine.webinar.id)).toEqual(nothing);
  const add = await callRest(service, `POST /webinars/${mine.webinar.id}/offers`, { key: mine.key, body });
  expect([add.status, add.json.code]).toEqual([404, 'webinar_not_found']);
});

test('a webinar has at most 200 interactions, also with concurrent calls', async () => {
  await using service = await testApi();
  const { key, webinar } = await createTestWorld(service);
  const body = { ...common, url: 'https://example.com', buttonLabel: 'Buy' };
  const at = `/webinars/${webinar.id}/ctas`;
  const { json } = await callRest(service, `POST ${at}`, { key, body });
  await service.db.database.pool.query(
    `insert into webinars.interaction
     select account_id, gen_random_uuid(), webinar_id, segment_id, type, internal_name, headline, body, show_at_seconds,
            hide_at_seconds, enabled, available_in_replay, display, dismissible, show_when, details, created_at, updated_at
     from webinars.interaction, generate_series(1, 196) where id = $1`,
    [json.data.id],
  );
  const answers = await Promise.all(
    Array.from({ length: 8 }, () => callRest(service, `POST ${at}`, { key, body })),
  );
  const refused = answers.filter(({ status }) => status !== 201);
  expect(refused.map(({ status, json }) => [status, json.code])).toEqual(
    Array.from({ length: 5 }, () => [409, 'interaction_limit_reached']),
  );
});
