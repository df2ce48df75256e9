import { expect, test } from 'vitest';
import { formatDuration } from './format.ts';

test('a duration is in seconds below a minute, in minutes below an hour', () => {
  const durations = [0, 25, 60, 2700, 3599, 3600, 5400, 7190].map(formatDuration);
  expect(durations).toEqual(['0 s', '25 s', '1 min', '45 min', '1 h', '1 h', '1 h 30 min', '2 h']);
});
