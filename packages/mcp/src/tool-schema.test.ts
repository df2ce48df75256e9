import { expect, test } from 'vitest';
import { z } from 'zod';
import { describeInput, describeOutput } from './tool-schema.ts';

const input = z.strictObject({
  webinarId: z.uuid().describe('The id of the webinar.'),
  title: z
    .string()
    .min(1)
    .max(200)
    .nullable()
    .describe('Shown to attendees.')
    .meta({ id: 'Title', examples: ['x'] }),
  count: z.number().int().min(1).max(9).optional(),
  rare: z.string().default('never'),
});

test('arguments are described without bounds, names and examples, and without those that are hidden', () => {
  expect(describeInput(input, { isWrite: false, isEdit: false, hiddenArguments: ['rare'] })).toEqual({
    type: 'object',
    properties: {
      webinarId: { type: 'string' },
      title: { type: ['string', 'null'], description: 'Shown to attendees.' },
      count: { type: 'integer' },
    },
    required: ['webinarId', 'title'],
  });
});

test('a write takes an idempotency key, and a list shows its limit', () => {
  const list = z.strictObject({ limit: z.number().max(100).default(25), cursor: z.string().optional() });
  expect(describeInput(list, { isWrite: true, isEdit: false }).properties).toEqual({
    limit: { type: 'integer', description: 'At most 20.' },
    cursor: { type: 'string', description: expect.any(String) },
    idempotency_key: { type: 'string', description: expect.any(String) },
  });
});

test('a list without pages shows its limit too', () => {
  const slots = z.strictObject({ limit: z.number().max(50).optional() });
  expect(describeInput(slots, { isWrite: false, isEdit: false }).properties).toEqual({
    limit: { type: 'integer', description: 'At most 20.' },
  });
});

test('a schema that is too long is replaced, and nothing else changes', () => {
  const replaced = { rare: { type: 'string', description: 'Short.' } };
  const { properties } = describeInput(input, { isWrite: false, isEdit: false, arguments: replaced });
  expect(properties).toMatchObject({ rare: replaced.rare, count: { type: 'integer' } });
});

test('a text of the tool replaces that of the procedure, for each argument that the tool shows', () => {
  const texts = { title: 'For your team.', count: 'How many.', rare: 'Hidden.', absent: 'No argument.' };
  const options = { isWrite: false, isEdit: false, texts, hiddenArguments: ['rare'] };
  expect(describeInput(input, options).properties).toEqual({
    webinarId: { type: 'string' },
    title: { type: ['string', 'null'], description: 'For your team.' },
    count: { type: 'integer', description: 'How many.' },
  });
});

test('a result is described to the names of the fields of its records', () => {
  const record = z.object({
    id: z.uuid(),
    required: z.string(),
    inner: z.object({ deep: z.string() }).nullable(),
  });
  const result = z.object({
    data: z.array(record),
    pagination: z.object({ nextCursor: z.string().nullable() }),
  });
  expect(describeOutput(result)).toEqual({
    type: 'object',
    properties: {
      data: { items: { properties: { id: {}, required: {}, inner: {} } } },
    },
  });
});
