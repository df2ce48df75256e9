import { eventCatalogue } from '@service/automations';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { expect, test } from 'vitest';
import { callRest, createTestAccount, createTestKey, testApi } from '../support/api.ts';

test('every event type has a sample that its JSON Schema accepts, and a key without scopes can list them', async () => {
  await using service = await testApi();
  const { accountId } = await createTestAccount(service);
  const { key } = await createTestKey(service, accountId, { scopes: ['sessions:read'] });
  const answer = await callRest(service, 'GET /event-types', { key });
  expect(answer.status).toBe(200);
  const { data } = answer.json;
  expect(data.map(({ type }: { type: string }) => type)).toEqual(eventCatalogue.map(({ type }) => type));
  expect(
    data
      .filter(({ subscribable }: { subscribable: boolean }) => subscribable)
      .map(({ type }: { type: string }) => type),
  ).toEqual(['registered', 'joined', 'left', 'no_show', 'video_complete', 'cta_click']);
  const ajv = new Ajv2020({ strict: true });
  addFormats.default(ajv);
  for (const { type, schema, sample, paramsSchema } of data) {
    const validate = ajv.compile(schema);
    expect(validate(sample), `${type}: ${ajv.errorsText(validate.errors)}`).toBe(true);
    expect(validate({ ...sample, event_type: 'else' }), type).toBe(false);
    expect(sample.event_type).toBe(type);
    ajv.compile(paramsSchema);
  }
  expect((await callRest(service, 'GET /event-types')).status).toBe(401);
});
