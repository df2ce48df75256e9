import type { AttendeeFacts, Condition } from '@service/conditions';
import { createEvaluation } from '@service/conditions/budget';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { branch, fork, segment } from './graph.fixture.ts';
import type { Graph } from './graph.ts';
import { enterSegment, mayTake, nextBranch, type Path, pathState, startPath } from './path.ts';

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

/** The facts that the conditions below compare. */
const facts = { watchedPercent: 50, chatMessage: ['the price?'] } as Partial<AttendeeFacts> as AttendeeFacts;

const watched = (value: number): Condition => ({ field: 'watchedPercent', operator: 'gte', value });
const asksPrice: Condition = { field: 'chatMessage', operator: 'contains', value: 'price' };
const when = (...conditions: Condition[]) => ({ via: 'condition', conditions }) as const;

const newViewer = () => ({ facts, budget: createEvaluation().budgetOf('viewer') });

const next = (...branches: ReturnType<typeof branch>[]) => {
  const found = nextBranch({ segments: [segment('a')], branches }, 'a', newViewer());
  return typeof found === 'object' ? found.toSegmentId : found;
};

test('of several met conditions, the branch with the lowest priority is taken', () => {
  const missed = branch('a>missed', { priority: 0, ...when(watched(60)) });
  const half = branch('a>half', { priority: 1, ...when(watched(60), asksPrice) });
  const later = branch('a>later', { priority: 3, ...when(watched(10)) });
  const first = branch('a>first', { priority: 2, ...when(watched(50), asksPrice) });
  expect(next(later, first, half, missed, branch('a>choice', { via: 'choice' }), branch('a>rest'))).toBe(
    'first',
  );
  expect(next(half, missed, branch('a>rest'))).toBe('rest');
});

test('if no condition is met, the viewer is asked if there are choices', () => {
  expect(
    next(branch('a>rest'), branch('a>choice', { via: 'choice' }), branch('a>no', when(watched(60)))),
  ).toBe('ask');
  expect(next(branch('b>choice', { via: 'choice' }), branch('a>rest'))).toBe('rest');
});

test('a condition after the end of the budget is not met', () => {
  // Every reading of this clock is a second later.
  let nowMs = 0;
  const budget = createEvaluation({ cpuMs: () => (nowMs += 1000) }).budgetOf('viewer');
  const said = { ...facts, chatMessage: Array.from({ length: 50 }, () => 'ﷺ'.repeat(1000)) };
  const graph = {
    segments: [segment('a')],
    branches: [
      branch('a>slow', { priority: 0, ...when(asksPrice) }),
      branch('a>next', { priority: 1, ...when(watched(10)) }),
      branch('a>rest'),
    ],
  };
  expect(nextBranch(graph, 'a', { facts: said, budget })).toMatchObject({ toSegmentId: 'rest' });
});

test('a terminal segment has no next branch', () => {
  expect(nextBranch(fork(), 'end', newViewer())).toBeUndefined();
});

test('a viewer can take a choice at any time, the default only when asked, a condition never, and only from the current segment', () => {
  const playing = startPath(fork());
  const asked = { ...playing, inTransition: true };
  const choice = branch('intro>long', { via: 'choice' });
  const condition = branch('intro>long', when(watched(0)));
  expect([mayTake(choice, playing), mayTake(choice, asked)]).toEqual([true, true]);
  expect([mayTake(branch('intro>short'), playing), mayTake(branch('intro>short'), asked)]).toEqual([
    false,
    true,
  ]);
  expect([mayTake(condition, playing), mayTake(condition, asked)]).toEqual([false, false]);
  const elsewhere = [branch('short>end'), branch('long>end', { via: 'choice' })];
  expect(elsewhere.map((one) => mayTake(one, asked))).toEqual([false, false]);
});

test('the path state has the segment, the choices in order, and the default', () => {
  const { segments, branches } = fork();
  const graph = {
    segments: segments.map((one) => ({ ...one, videoUrl: `https://example.com/${one.id}.mp4` })),
    branches: [
      ...branches,
      branch('intro>end', { id: 'first', via: 'choice', priority: 0, choiceTimeoutSeconds: 5 }),
    ],
  };
  const path = startPath(fork());
  expect(pathState(graph, { ...path, inTransition: true })).toEqual({
    segmentId: 'intro',
    title: 'intro',
    videoUrl: 'https://example.com/intro.mp4',
    durationSeconds: 100,
    isTerminal: false,
    inTransition: true,
    choices: [
      { branchId: 'first', label: 'intro>end', promptText: null, promptAtSeconds: null, timeoutSeconds: 5 },
      {
        branchId: 'intro>long',
        label: 'intro>long',
        promptText: 'More?',
        promptAtSeconds: 90,
        timeoutSeconds: 15,
      },
    ],
    defaultBranchId: 'intro>short',
    nextVideoUrls: ['short', 'end', 'long'].map((id) => `https://example.com/${id}.mp4`),
  });
});

test('the path state has the duration from the viewer’s path, and a deleted segment is terminal', () => {
  const path = startPath(fork());
  const longer = { ...fork(), segments: [segment('intro', { isEntry: true, durationSeconds: 7000 })] };
  expect(pathState(longer, path).durationSeconds).toBe(100);
  expect(pathState({ segments: [], branches: [] }, path)).toEqual({
    segmentId: 'intro',
    title: '',
    videoUrl: null,
    durationSeconds: 100,
    isTerminal: true,
    inTransition: false,
    choices: [],
    defaultBranchId: null,
    nextVideoUrls: [],
  });
});
