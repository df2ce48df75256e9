import fc from 'fast-check';
import { expect, test } from 'vitest';
import { branch, fork, segment } from './graph.fixture.ts';
import type { Graph } from './graph.ts';
import type { Path } from './path.ts';
import { enterSegment, startPath } from './walk.ts';

const walk = (graph: Graph, ...ids: string[]): Path =>
  ids.reduce((path, id) => enterSegment(path, id, graph), startPath(graph));

test('a path starts at the entry, and its total includes the default branches', () => {
  expect(startPath(fork())).toEqual({
    segments: [{ segmentId: 'intro', offsetSeconds: 0, durationSeconds: 100 }],
    currentId: 'intro',
    inTransition: false,
    moves: 0,
    totalSeconds: 115,
  });
  expect(() => startPath({ segments: [segment('a')], branches: [] })).toThrow('no entry');
});

test('an entered segment is appended to the timeline, and the total is counted from there', () => {
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

test('returning to a segment is a move and adds nothing, and its default branches count as ahead again', () => {
  const { segments, currentId, moves, totalSeconds } = walk(fork(), 'long', 'intro');
  expect(segments.map(({ segmentId }) => segmentId)).toEqual(['intro', 'long']);
  expect({ currentId, moves, totalSeconds }).toEqual({ currentId: 'intro', moves: 2, totalSeconds: 1115 });
});

test('a cycle of defaults is counted once, also through entered segments', () => {
  const segments = [segment('a', { isEntry: true }), segment('b'), segment('c')];
  const graph = { segments, branches: [branch('a>b'), branch('b>c'), branch('c>b')] };
  expect(startPath(graph).totalSeconds).toBe(180);
  expect(walk(graph, 'c', 'b').totalSeconds).toBe(180);
  expect(walk({ ...graph, branches: [branch('a>a'), branch('b>a'), branch('c>b')] }, 'c').totalSeconds).toBe(
    180,
  );
});

test('an entered segment keeps its duration', () => {
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

test('for any path, each second of the timeline belongs to exactly one segment', () => {
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
      // The defaults reach every segment that they lead to within as many steps as there are segments.
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
