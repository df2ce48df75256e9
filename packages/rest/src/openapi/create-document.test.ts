import { commonErrors } from '@service/errors';
import { dataOf, keyQuery, pageInput, pageOf, router, scopedMutation, scopedQuery } from '@service/trpc';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { createOpenApiDocument } from './create-document.ts';
import type { Operation, Response } from './document.ts';

const Room = z.object({ id: z.uuid(), name: z.string(), openedAt: z.iso.datetime() });

const tag = 'Rooms';

const rooms = router({
  list: scopedQuery({
    scope: 'webinars:read',
    rest: 'GET /rooms',
    tool: 'list_rooms',
    summary: 'List rooms',
    tag,
  })
    .input(z.strictObject(pageInput))
    .output(pageOf(Room))
    .query(() => ({ data: [], pagination: { nextCursor: null, hasMore: false } })),
  get: keyQuery({
    rest: 'GET /rooms/{roomId}',
    tool: 'get_room',
    summary: 'Get a room',
    tag,
    deprecation: { since: '2026-01-01', sunset: '2026-12-01', successor: '/halls' },
  })
    .input(z.strictObject({ roomId: z.uuid() }))
    .output(dataOf(Room))
    .query(() => ({ data: { id: '', name: '', openedAt: '' } })),
  open: scopedMutation({
    scope: 'webinars:write',
    rest: 'POST /rooms/{roomId}/open',
    tool: 'open_room',
    summary: 'Open a room',
    tag,
    status: 202,
  })
    .input(
      z
        .strictObject({ roomId: z.uuid(), note: z.string().optional(), loud: z.boolean().default(false) })
        .refine(() => true),
    )
    .output(dataOf(z.object({ ...Room.shape, note: z.string() })))
    .mutation(() => ({ data: { id: '', name: '', openedAt: '', note: '' } })),
});

const document = createOpenApiDocument({
  router: rooms,
  baseUrl: 'https://api.example',
  title: 'Rooms',
  version: '1',
  introduction: '',
  limits: { rateLimit: { requests: 1, windowSeconds: 1 }, idempotencyWindowHours: 1 },
  errors: { ...commonErrors.catalogue, room_not_found: { kind: 'not_found', message: 'No such room.' } },
  tags: [],
  samples: { 'Room.name': 'Blue room', name: 'Grace', openRoom: { note: 'Now' }, note: 7 },
});

const operation = (path: string, method: string): Operation => document.paths[path]![method]!;
const headersOf = (of: Operation, status: number): string[] =>
  Object.keys((of.responses[status] as Response).headers ?? {});

test('a record is named after the operation that gets it, in all answers', () => {
  expect(Object.keys(document.components.schemas).toSorted()).toEqual(['Error', 'OpenRoomResult', 'Room']);
  const { content } = operation('/rooms', 'get').responses['200'] as Response;
  const { schema, example } = content!['application/json']!;
  expect(schema!.properties!['data']).toMatchObject({ items: { $ref: '#/components/schemas/Room' } });
  expect(example).toMatchObject({ data: [{ name: 'Blue room', openedAt: '2026-11-20T17:00:00.000Z' }] });
});

test('an answer is open to new fields, and a body is not, also with refinements', () => {
  expect(document.components.schemas['Room']).not.toHaveProperty('additionalProperties');
  const { content, required } = operation('/rooms/{roomId}/open', 'post').requestBody!;
  expect(content['application/json']!.schema).toMatchObject({ additionalProperties: false });
  expect(Object.keys(content['application/json']!.schema!.properties!)).toEqual(['note', 'loud']);
  expect(required).toBe(false);
});

test('a sample is used only where it fits', () => {
  const { requestBody, responses } = operation('/rooms/{roomId}/open', 'post');
  expect(requestBody!.content['application/json']!.example).toEqual({ note: 'Now' });
  expect((responses['202'] as Response).content!['application/json']!.example).toMatchObject({
    data: { name: 'Grace', note: 'text' },
  });
});

test('a deprecated operation is marked in the document and in the headers of its answers', () => {
  const get = operation('/rooms/{roomId}', 'get');
  expect(get.deprecated).toBe(true);
  expect(get.description).toContain('2026-12-01');
  expect(headersOf(get, 200)).toEqual(expect.arrayContaining(['Deprecation', 'Sunset', 'Link', 'ETag']));
  expect(headersOf(get, 404)).toContain('Sunset');
  expect(get.responses['401']).toEqual({ $ref: '#/components/responses/Unauthorized' });
  expect(operation('/rooms', 'get').deprecated).toBeUndefined();
});

test('an operation has the error codes of the ids in its path, and only the errors that it can answer', () => {
  const { content } = operation('/rooms/{roomId}', 'get').responses['404'] as Response;
  expect(Object.keys(content!['application/json']!.examples!)).toEqual(['room_not_found', 'not_found']);
  expect(Object.keys(operation('/rooms/{roomId}', 'get').responses)).toEqual([
    '200',
    '304',
    '401',
    '403',
    '404',
    '422',
    '429',
    '500',
    '503',
  ]);
  expect(Object.keys(operation('/rooms/{roomId}/open', 'post').responses)).toEqual([
    '202',
    '400',
    '401',
    '403',
    '404',
    '409',
    '413',
    '415',
    '422',
    '429',
    '500',
    '503',
  ]);
});

test('the components contain only what operations use', () => {
  expect(Object.keys(document.components.headers!)).not.toContain('Location');
  expect(Object.keys(document.components.responses!)).toContain('MalformedRead');
});

test('a parameter keeps its description', () => {
  expect(operation('/rooms', 'get').parameters).toContainEqual(
    expect.objectContaining({ name: 'cursor', description: 'The `nextCursor` of the previous page.' }),
  );
});
