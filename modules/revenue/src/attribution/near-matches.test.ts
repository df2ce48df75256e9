import { expect, test } from 'vitest';
import { distanceOf } from './near-matches.ts';

test('an address is near when it is the same, or differs in dots, a plus, one or two letters, or the provider alone', () => {
  const buyer = 'anna.berg+shop@example.com';
  const distances = [
    'annaberg@example.com',
    'anna.berk@example.com',
    'ana.berg@exmaple.com',
    'anna.berg@other.example',
    'anna.berg+shop@example.com',
    'bob@example.com',
    'anna.lindberg@example.com',
  ].map((other) => distanceOf(buyer, other));
  expect(distances).toEqual([0.5, 1, undefined, 2.5, 0, undefined, undefined]);
});
