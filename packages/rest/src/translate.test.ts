import { dataOf, router, scopedQuery, type RequestContext } from '@service/trpc';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { listRoutes } from './route-table.ts';
import { createTranslate } from './translate.ts';

const get = (rest: `GET /${string}`, input: z.ZodObject) =>
  scopedQuery({ scope: 'webinars:read', rest, operationId: 'read', summary: '', tag: '' })
    .input(input)
    .output(dataOf(z.object({ id: z.string() })))
    .query(() => ({ data: { id: '' } }));

const rooms = router({
  room: get('GET /rooms/{roomId}', z.strictObject({ roomId: z.string() })),
  lamps: get('GET /rooms/{roomId}/lamps', z.strictObject({ roomId: z.string(), limit: z.number() })),
});
const [room, lamps] = listRoutes(rooms);

const calls: unknown[] = [];
const call = (name: string) => async (input: unknown) => void calls.push([name, input]);
const translate = createTranslate({
  ...rooms,
  createCaller: () => ({ room: call('room'), lamps: call('lamps') }),
});

const context = {} as RequestContext;

test('the admitted procedure is called with the values of its path and its query', async () => {
  calls.length = 0;
  await translate({ route: lamps!, path: '/rooms/7/lamps', fields: { limit: 0 }, context });
  expect(calls).toEqual([['lamps', { roomId: '7', limit: 0 }]]);
});

test('nothing is called for a path of another procedure than the admitted one', async () => {
  calls.length = 0;
  const request = { route: room!, fields: {}, context };
  await expect(translate({ ...request, path: '/rooms/7/lamps' })).rejects.toThrow();
  await expect(translate({ ...request, path: '/nowhere' })).rejects.toThrow();
  expect(calls).toEqual([]);
});
