import { expect, test } from 'vitest';
import { timingPhases } from './attempt-timeline.tsx';

const msByName = (...attempt: Parameters<typeof timingPhases>) =>
  Object.fromEntries(timingPhases(...attempt).map(({ name, ms }) => [name, ms]));

test('phases follow one another: the first byte, counted from the start, does not count the opening twice', () => {
  const timings = { dnsMs: 4, connectMs: 20, tlsMs: 46, firstByteMs: 200 };
  expect(msByName({ timings, durationMs: 212 })).toEqual({
    DNS: 4,
    Connect: 20,
    TLS: 46,
    'First byte': 130,
    Rest: 12,
  });
});

test('a reused connection has no opening', () => {
  const timings = { dnsMs: null, connectMs: null, tlsMs: null, firstByteMs: 90 };
  expect(msByName({ timings, durationMs: 91 })).toEqual({ 'First byte': 90, Rest: 1 });
});

test('an attempt without an answer has no phase for the first byte', () => {
  const timings = { dnsMs: 4, connectMs: 20, tlsMs: null, firstByteMs: null };
  expect(msByName({ timings, durationMs: 10_000 })).toEqual({ DNS: 4, Connect: 20, 'No answer': 9976 });
});

test('an attempt that was never measured has no phases', () => {
  const timings = { dnsMs: null, connectMs: null, tlsMs: null, firstByteMs: null };
  expect(timingPhases({ timings, durationMs: 3 })).toEqual([]);
});
