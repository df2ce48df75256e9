import { expect, test } from 'vitest';
import type { EndpointSource } from '../source/use-sources.ts';
import { sortEndpoints, type EndpointSort } from './search.ts';

const endpoint = (name: string, oldestWaitingAt: string | null, successRate: number | null) =>
  ({ name, waiting: oldestWaitingAt === null ? 0 : 3, oldestWaitingAt, successRate }) as EndpointSource;

const endpoints = [
  endpoint('idle', null, null),
  endpoint('broken', '2026-11-20T08:00:00.000Z', 0.25),
  endpoint('slow', '2026-11-21T08:00:00.000Z', 0.5),
];

const namesBy = (sort: EndpointSort, order?: 'asc' | 'desc') =>
  sortEndpoints(endpoints, sort, order).map(({ name }) => name);

test('the endpoint whose delivery has waited longest is first, and one without waiting deliveries is last in both orders', () => {
  expect(namesBy('oldest')).toEqual(['broken', 'slow', 'idle']);
  expect(namesBy('oldest', 'desc')).toEqual(['slow', 'broken', 'idle']);
});

test('an endpoint that was never tried has no success rate, so it is last in both orders', () => {
  expect(namesBy('success')).toEqual(['broken', 'slow', 'idle']);
  expect(namesBy('success', 'desc')).toEqual(['slow', 'broken', 'idle']);
});

test('endpoints with as many waiting deliveries keep their order', () => {
  expect(namesBy('waiting')).toEqual(['broken', 'slow', 'idle']);
  expect(namesBy('waiting', 'asc')).toEqual(['idle', 'broken', 'slow']);
});
