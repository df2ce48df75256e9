import { expect, test } from 'vitest';
import { callRest, createTestWorld, testApi } from '../support/api.ts';
import { common, types } from './interaction-types.ts';

test('two concurrent updates of one offer are both kept', async () => {
  await using service = await testApi();
  const { key, webinar } = await createTestWorld(service);
  const body = { ...common, url: 'https://example.com', buttonLabel: 'Buy' };
  const { json } = await callRest(service, `POST /webinars/${webinar.id}/offers`, { key, body });
  const at = `/webinars/${webinar.id}/offers/${json.data.id}`;
  const changes = [
    { buttonLabel: 'Get it' },
    { couponCode: 'HALF' },
    { countdownSeconds: 60 },
    { priceMinor: 900, currency: 'EUR' },
    { productRefs: ['sku'] },
    { headline: 'Now' },
  ];
  await Promise.all(changes.map((change) => callRest(service, `PATCH ${at}`, { key, body: change })));
  const { data } = (await callRest(service, `GET ${at}`, { key })).json;
  expect(data).toMatchObject(Object.assign({}, ...changes));
});

test('a duplicated webinar has copies of all interactions, whose conditions name each other', async () => {
  await using service = await testApi();
  const { key, webinar } = await createTestWorld(service);
  const create = async (path: string, fields: object) => {
    const body = { ...common, ...fields };
    return (await callRest(service, `POST /webinars/${webinar.id}/${path}`, { key, body })).json.data;
  };
  const poll = await create('polls', types[2].fields);
  const elsewhere = '019aa1c2-0000-7000-8000-000000000001';
  const offer = await create('offers', {
    ...types[0].fields,
    showWhen: [
      { field: 'joined', operator: 'eq', value: true },
      { field: 'pollAnswer', operator: 'eq', value: { interactionId: poll.id, optionId: 'yes' } },
      { field: 'clickedInteraction', operator: 'neq', value: poll.id },
      { field: 'clickedInteraction', operator: 'in', value: [poll.id, elsewhere] },
    ],
  });
  const list = async (webinarId: string) =>
    (await callRest(service, `GET /webinars/${webinarId}/interactions`, { key })).json.data;

  const duplicate = await callRest(service, `POST /webinars/${webinar.id}/duplicate`, { key, body: {} });
  const webinarId = duplicate.json.data.id;
  const copies = await list(webinarId);
  expect(copies).toHaveLength(2);
  const [offerCopy, pollCopy] = copies;
  const { createdAt, updatedAt } = offerCopy;
  expect(pollCopy).toStrictEqual({ ...poll, id: pollCopy.id, webinarId, createdAt, updatedAt });
  expect(offerCopy).toStrictEqual({
    ...offer,
    id: offerCopy.id,
    webinarId,
    showWhen: JSON.parse(JSON.stringify(offer.showWhen).replaceAll(poll.id, pollCopy.id)),
    createdAt,
    updatedAt,
  });
  expect(new Set([offer.id, poll.id, offerCopy.id, pollCopy.id]).size).toBe(4);
  expect(await list(webinar.id)).toStrictEqual([offer, poll]);
});

test('a duration too short for interactions is refused, and the error has each of them', async () => {
  await using service = await testApi();
  const { key, webinar } = await createTestWorld(service);
  const at = `/webinars/${webinar.id}`;
  for (const [internalName, showAtSeconds] of [
    ['Early', 60],
    ['Late', 600],
    ['Later', 1800],
  ] as const) {
    const body = {
      internalName,
      headline: 'Look',
      showAtSeconds,
      url: 'https://example.com',
      buttonLabel: 'Go',
    };
    expect((await callRest(service, `POST ${at}/ctas`, { key, body })).status).toBe(201);
  }
  const shorten = (durationSeconds: number) =>
    callRest(service, `PATCH ${at}`, { key, body: { durationSeconds } });
  const refused = await shorten(600);
  expect([refused.status, refused.json.issues.map((issue: { path: string }) => issue.path)]).toEqual([
    422,
    ['durationSeconds', 'durationSeconds'],
  ]);
  expect(refused.text).toContain('\\"Later\\"');
  expect((await shorten(1801)).status).toBe(200);
});
