import { commonErrors } from '@service/errors';
import {
  dataOf,
  instant,
  keyQuery,
  pageInput,
  pageOf,
  router,
  scopedMutation,
  scopedQuery,
  type AnyServiceRouter,
} from '@service/trpc';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { createOpenApiDocument } from './create-document.ts';
import type { JsonSchema, Operation, Response } from './document.ts';

const Colour = z.enum(['red', 'blue']).meta({ id: 'Colour', description: 'Of the light.' });

const Lamp = z.strictObject({ colour: Colour, watts: z.int().default(5) }).meta({ id: 'Lamp' });

const Room = z
  .object({
    id: z.uuid(),
    name: z.string(),
    openedAt: z.iso.datetime(),
    closedAt: instant().nullable(),
    lamp: Lamp,
  })
  .meta({ id: 'Room' });

const tag = 'Rooms';
const room = { id: '', name: '', openedAt: '', closedAt: null, lamp: { colour: 'red' as const, watts: 5 } };

const rooms = router({
  list: scopedQuery({
    scope: 'webinars:read',
    rest: 'GET /rooms',
    tool: 'list_rooms',
    summary: 'List rooms',
    tag,
  })
    .input(z.strictObject({ ...pageInput, colour: Colour.optional() }))
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
    .query(() => ({ data: room })),
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
        .strictObject({
          roomId: z.uuid(),
          note: z.string().optional(),
          loud: z.boolean().default(false),
          lamp: Lamp.optional(),
        })
        .refine(() => true)
        .meta({ id: 'OpenRoomInput' }),
    )
    .output(dataOf(Room.extend({ note: z.string() }).meta({ id: 'OpenedRoom' })))
    .mutation(() => ({ data: { ...room, note: '' } })),
});

const describe = (described: AnyServiceRouter) =>
  createOpenApiDocument({
    router: described,
    baseUrl: 'https://api.example',
    title: 'Rooms',
    version: '1',
    introduction: '',
    limits: { rateLimit: { requests: 1, windowSeconds: 1 }, idempotencyWindowHours: 1 },
    errors: {
      ...commonErrors.catalogue,
      room_not_found: { kind: 'not_found', message: 'No such room.', remedy: 'Open one.' },
    },
    tags: [],
    samples: { 'Room.name': 'Blue room', name: 'Grace', openRoom: { note: 'Now' }, note: 7 },
  });

const document = describe(rooms);

const operation = (path: string, method: string): Operation => document.paths[path]![method]!;
const headersOf = (of: Operation, status: number): string[] =>
  Object.keys((of.responses[status] as Response).headers ?? {});

const schemaOf = (name: string): JsonSchema => document.components.schemas[name]!;

test('the components have the names of their schemas in order, and envelopes the name of their record', () => {
  expect(Object.keys(document.components.schemas)).toEqual([
    'Colour',
    'ErrorAnswer',
    'ErrorIssue',
    'Lamp',
    'LampInput',
    'OpenRoomInput',
    'OpenedRoom',
    'OpenedRoomAnswer',
    'Pagination',
    'Room',
    'RoomAnswer',
    'RoomList',
  ]);
  const { content } = operation('/rooms', 'get').responses['200'] as Response;
  const { schema, example } = content!['application/json']!;
  expect(schema).toEqual({ $ref: '#/components/schemas/RoomList' });
  expect(schemaOf('RoomList').properties!['data']).toMatchObject({
    type: 'array',
    items: { $ref: '#/components/schemas/Room' },
  });
  expect(example).toMatchObject({ data: [{ name: 'Blue room', openedAt: '2026-11-20T17:00:00.000Z' }] });
});

test('a schema that differs in requests has the suffix Input there', () => {
  expect(schemaOf('OpenRoomInput').properties!['lamp']).toEqual({ $ref: '#/components/schemas/LampInput' });
  expect(schemaOf('LampInput').required).toEqual(['colour']);
  expect(schemaOf('Room').properties!['lamp']).toEqual({ $ref: '#/components/schemas/Lamp' });
  expect(schemaOf('Lamp').required).toEqual(['colour', 'watts']);
});

test('two different schemas with one name are refused', () => {
  const Other = z.object({ id: z.uuid() }).meta({ id: 'Room' });
  expect(() =>
    describe(withRoute(dataOf(z.object({ room: Room, other: Other }).meta({ id: 'Pair' })))),
  ).toThrow('Room');
});

test('a body and an answer without a name are refused', () => {
  expect(() => describe(withRoute(dataOf(z.object({ id: z.uuid() }))))).toThrow(
    'answer of write has no name',
  );
  expect(() => describe(withRoute(dataOf(Room), z.strictObject({ note: z.string() })))).toThrow(
    'body of write has no name',
  );
});

function withRoute(output: z.ZodType, input: z.ZodObject = z.strictObject({})): AnyServiceRouter {
  const write = scopedMutation({
    scope: 'webinars:write',
    rest: 'POST /rooms',
    tool: 'write_room',
    summary: '',
    tag,
  });
  return router({
    write: write
      .input(input)
      .output(output)
      .mutation(() => ({ data: room })),
  });
}

test('an answer is open to new fields, and a body only if it takes any field, also with refinements', () => {
  expect(schemaOf('Room')).not.toHaveProperty('additionalProperties');
  const { content, required } = operation('/rooms/{roomId}/open', 'post').requestBody!;
  expect(content['application/json']!.schema).toEqual({ $ref: '#/components/schemas/OpenRoomInput' });
  expect(schemaOf('OpenRoomInput')).toMatchObject({ additionalProperties: false });
  expect(Object.keys(schemaOf('OpenRoomInput').properties!)).toEqual(['note', 'loud', 'lamp']);
  expect(required).toBe(false);
  const anyFields = z.looseObject({ note: z.string() }).refine(() => true);
  const { schemas } = describe(withRoute(dataOf(Room), anyFields.meta({ id: 'AnyInput' }))).components;
  expect(schemas['AnyInput']).not.toHaveProperty('additionalProperties');
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
  const { responses } = operation('/rooms/{roomId}/open', 'post');
  expect(responses['404']).toEqual({ $ref: '#/components/responses/RoomNotFoundWrite' });
  const { content } = document.components.responses!['RoomNotFoundWrite']!;
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

test('a parameter has its own description or that of its component, and an example', () => {
  const { parameters } = operation('/rooms', 'get');
  expect(parameters).toContainEqual(
    expect.objectContaining({ name: 'cursor', description: 'The `nextCursor` of the previous page.' }),
  );
  expect(parameters).toContainEqual(
    expect.objectContaining({ name: 'colour', description: 'Of the light.', example: 'red' }),
  );
});

test('the description of a value that can be null is that of its field', () => {
  expect(schemaOf('Pagination').properties!['nextCursor']!.description).toContain('Null on the last page.');
  expect(schemaOf('Room').properties!['closedAt']).toMatchObject({ description: 'ISO 8601, UTC.' });
});
