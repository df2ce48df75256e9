import { dataOf, router, scopedQuery } from '@service/trpc';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { createRouteTable } from './route-table.ts';

const Lamp = z.object({ id: z.string() }).meta({ id: 'Lamp' });

const get = (rest: `GET /${string}`, input: z.ZodObject) =>
  scopedQuery({ scope: 'webinars:read', rest, operationId: 'read', summary: '', tag: '' })
    .input(input)
    .output(dataOf(Lamp))
    .query(() => ({ data: { id: '' } }));

const find = createRouteTable(
  router({
    room: get('GET /rooms/{roomId}', z.strictObject({ roomId: z.string() })),
    first: get('GET /rooms/first', z.strictObject({})),
    lamp: get(
      'GET /rooms/{roomId}/lamps/{lampId}',
      z.strictObject({ roomId: z.string(), lampId: z.string() }),
    ),
  }),
);

const pathOf = (path: string): string => {
  const match = find('GET', path);
  return match.kind === 'route' ? `${match.route.procedure} ${match.path}` : match.kind;
};

test('a path has one spelling, in which trpc-to-openapi gets it', () => {
  expect(pathOf('/rooms/7/lamps/a%20b')).toBe('lamp /rooms/7/lamps/a%20b');
  expect(pathOf('/rooms/%37/lamps/a%2fb')).toBe('lamp /rooms/7/lamps/a%2Fb');
  expect(pathOf('/rooms/first')).toBe('first /rooms/first');
});

test.each(['/rooms/7/lamps/', '/rooms/7/lamps/%', '/Rooms/7', '//rooms/7', '/rooms/7/'])(
  '%s is another spelling, and is not found',
  (path) => expect(pathOf(path)).toBe('not_found'),
);

test.each(['..', '.', '%2e%2E', '%2e', 'First', '%66irst', 'FIRST'])(
  '%s is no id, and trpc-to-openapi cannot take it for another path',
  (segment) => expect(pathOf(`/rooms/${segment}`)).toBe('room /rooms/-'),
);
