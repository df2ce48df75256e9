// An honest player says only what it has played. What is late, or overtaken, counts as if it had come in time.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { durationSeconds, Viewer, webinarOf, type Beat } from './viewer.fixture.ts';

interface Sent {
  at: number;
  arrivesAt: number;
  visit: number;
  seq: number;
  intervals: Beat['intervals'];
}

const decimal = (min: number, max: number) => fc.double({ min, max, noNaN: true });

/** Played without a stop; from where, before it the page was opened anew or not, and how late its heartbeats are. */
const stretch = fc.record({
  pause: fc.nat(30),
  seekTo: fc.option(fc.nat(560), { nil: undefined }),
  length: fc.integer({ min: 1, max: 30 }),
  isReloaded: fc.boolean(),
  /** Says again what was played of it before. */
  isCumulative: fc.boolean(),
  waits: fc.array(fc.record({ wait: decimal(4, 10), delay: decimal(0, 60) }), { minLength: 8, maxLength: 8 }),
});
type Stretch = typeof stretch extends fc.Arbitrary<infer Value> ? Value : never;

/** What a player sends, and all it has played; together with everybody else it is always where the clock is. */
function play(stretches: readonly Stretch[], isTogether: boolean) {
  const sent: Sent[] = [];
  const opened = [0];
  const played = new Set<number>();
  let now = 0;
  let position = 0;
  for (const { pause, seekTo, length, isReloaded, isCumulative, waits } of stretches) {
    now += pause;
    if (isReloaded) opened.push(now);
    const visit = opened.length;
    const start = isTogether ? now : Math.min(seekTo ?? position, durationSeconds - length);
    for (let n = start; n < start + length; n += 1) played.add(n);
    let done = 0;
    for (const { wait, delay } of waits) {
      if (done === length) break;
      const until = Math.min(done + wait, length);
      const seq = sent.filter((one) => one.visit === visit).length + 1;
      const from = start + (isCumulative ? 0 : done);
      const at = now + until;
      sent.push({ at, arrivesAt: at + delay, visit, seq, intervals: [[from, start + until]] });
      done = until;
    }
    now += length;
    position = start + length;
  }
  return { sent, opened, played };
}

const rooms = { together: {}, 'at their own pace': { seekAllowed: true } };

test.each(Object.entries(rooms))('%s, heartbeats may come in any order', (name, room) => {
  const hear = (sent: readonly Sent[], opened: readonly number[], timeOf: (beat: Sent) => number): number => {
    const viewer = new Viewer({ webinar: webinarOf(room) });
    const opens = opened.slice(1).map((at, n) => ({ at, run: () => viewer.open(at, n + 2) }));
    const beats = sent.map(({ visit, seq, intervals, ...one }) => {
      const at = timeOf({ visit, seq, intervals, ...one });
      return { at, run: () => viewer.beat(at, { visit, seq, intervals }) };
    });
    for (const { run } of [...opens, ...beats].toSorted((one, other) => one.at - other.at)) run();
    return viewer.attendance.watchedSeconds;
  };
  fc.assert(
    fc.property(fc.array(stretch, { minLength: 1, maxLength: 4 }), (stretches) => {
      const { sent, opened, played } = play(stretches, name === 'together');
      expect(hear(sent, opened, ({ at }) => at)).toBe(played.size);
      expect(hear(sent, opened, ({ arrivesAt }) => arrivesAt)).toBe(played.size);
    }),
    { numRuns: 200 },
  );
});
