import fc from 'fast-check';
import { expect, test } from 'vitest';
import { branch, fork, segment } from './graph.fixture.ts';
import type { Graph } from './graph.ts';
import type { Path } from './path.ts';
import { enterSegment, startPath } from './walk.ts';

const walk = (graph: Graph, ...ids: string[]): Path =>
  ids.reduce((path, id) => enterSegment(path, id, graph), startPath(graph));

test('everybody begins with the entry, with the default way before them', () => {
  expect(startPath(fork())).toEqual({
    segments: [{ segmentId: 'intro', offsetSeconds: 0, durationSeconds: 100 }],
    currentId: 'intro',
    inTransition: false,
    moves: 0,
    totalSeconds: 115,
  });
  expect(() => startPath({ segments: [segment('a')], branches: [] })).toThrow('no entry');
});

test('a segment is put behind those before it, and what lies ahead is counted from there', () => {
  const path = { ...startPath(fork()), inTransition: true };
  expect(enterSegment(path, 'long', fork())).toEqual({
    segments: [
      { segmentId: 'intro', offsetSeconds: 0, durationSeconds: 100 },
      { segmentId: 'long', offsetSeconds: 100, durationSeconds: 1000 },
    ],
    currentId: 'long',
    inTransition: false,
    moves: 1,
    totalSeconds: 1105,
  });
});

test('coming back to a segment is a move and adds nothing, but the default way from it is ahead again', () => {
  const { segments, currentId, moves, totalSeconds } = walk(fork(), 'long', 'intro');
  expect(segments.map(({ segmentId }) => segmentId)).toEqual(['intro', 'long']);
  expect({ currentId, moves, totalSeconds }).toEqual({ currentId: 'intro', moves: 2, totalSeconds: 1115 });
});

test('a cycle of defaults is counted once, and goes on through what was entered', () => {
  const segments = [segment('a', { isEntry: true }), segment('b'), segment('c')];
  const graph = { segments, branches: [branch('a>b'), branch('b>c'), branch('c>b')] };
  expect(startPath(graph).totalSeconds).toBe(180);
  expect(walk(graph, 'c', 'b').totalSeconds).toBe(180);
  expect(walk({ ...graph, branches: [branch('a>a'), branch('b>a'), branch('c>b')] }, 'c').totalSeconds).toBe(
    180,
  );
});

test('what was entered keeps the duration it had then', () => {
  const graph = fork();
  const longer = { ...graph, segments: graph.segments.map((one) => ({ ...one, durationSeconds: 500 })) };
  const path = enterSegment(enterSegment(startPath(graph), 'short', graph), 'end', longer);
  expect(path.segments.map(({ offsetSeconds, durationSeconds }) => [offsetSeconds, durationSeconds])).toEqual(
    [
      [0, 100],
      [100, 10],
      [110, 500],
    ],
  );
  expect(path.totalSeconds).toBe(610);
});

test('however one walks, no second is two segments’ and none is left out', () => {
  const durations = fc.array(fc.integer({ min: 1, max: 86_400 }), { minLength: 1, maxLength: 8 });
  const steps = fc.array(fc.nat(), { maxLength: 50 });
  const defaults = fc.array(fc.nat(), { minLength: 8, maxLength: 8 });
  fc.assert(
    fc.property(durations, defaults, steps, (seconds, to, numbers) => {
      const ids = seconds.map((_, index) => `${index}`);
      const idOf = (number: number): string => ids[number % ids.length]!;
      const graph = {
        segments: seconds.map((durationSeconds, index) =>
          segment(`${index}`, { durationSeconds, isEntry: index === 0 }),
        ),
        branches: ids.map((id, index) => branch(`${id}>${idOf(to[index]!)}`)),
      };
      const walked = numbers.map(idOf);
      const path = walk(graph, ...walked);

      let end = 0;
      for (const { offsetSeconds, durationSeconds } of path.segments) {
        expect(offsetSeconds).toBe(end);
        end += durationSeconds;
      }
      const entered = [...new Set(['0', ...walked])];
      expect(path.segments.map(({ segmentId }) => segmentId)).toEqual(entered);
      expect([path.currentId, path.moves]).toEqual([walked.at(-1) ?? '0', walked.length]);
      // As many steps as there are segments reach everything that the defaults lead to.
      const reached = new Set(entered);
      let ahead = path.currentId;
      for (const _step of ids) {
        ahead = idOf(to[Number(ahead)]!);
        reached.add(ahead);
      }
      const total = [...reached].reduce((sum, id) => sum + seconds[Number(id)]!, 0);
      expect(path.totalSeconds).toBe(total);
    }),
  );
});
