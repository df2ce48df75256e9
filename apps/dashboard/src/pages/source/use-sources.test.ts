import { expect, test } from 'vitest';
import { byTrouble, type EndpointSource } from './use-sources.ts';

const endpoint = (
  name: string,
  status: 'healthy' | 'failing' | 'paused',
  waiting: number,
  { isEnabled = true, isHalted = false } = {},
) =>
  ({
    name,
    isEnabled,
    isHalted,
    waiting,
    health: { status, failuresInARow: status === 'healthy' ? 0 : 3 },
  }) as EndpointSource;

test('paused endpoints come before failing ones, then halted ones and those with waiting deliveries, and those switched off last', () => {
  const endpoints = [
    endpoint('off', 'paused', 900, { isEnabled: false }),
    endpoint('fine', 'healthy', 0),
    endpoint('some wait', 'healthy', 2),
    endpoint('halted', 'healthy', 0, { isHalted: true }),
    endpoint('more wait', 'healthy', 7),
    endpoint('failing', 'failing', 0),
    endpoint('paused', 'paused', 1),
    endpoint('also fine', 'healthy', 0),
  ];
  expect(endpoints.toSorted(byTrouble).map(({ name }) => name)).toEqual([
    'paused',
    'failing',
    'more wait',
    'some wait',
    'halted',
    'also fine',
    'fine',
    'off',
  ]);
});
