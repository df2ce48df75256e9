import fc, { type Arbitrary } from 'fast-check';
import { expect, test } from 'vitest';
import { branch, fork, segment } from './graph.fixture.ts';
import { branchesFrom, graphProblems, type Graph } from './graph.ts';

/** The problems of a changed fork. */
function changed(
  change: (graph: { segments: Graph['segments'][number][]; branches: Graph['branches'][number][] }) => void,
) {
  const { segments, branches } = fork();
  const graph = { segments: [...segments], branches: [...branches] };
  change(graph);
  return graph;
}

const edit = (change: Parameters<typeof changed>[0]) => graphProblems(changed(change));

test('a graph with one entry, a default from each segment that is not terminal and a path to all is valid', () => {
  expect(graphProblems(fork())).toEqual([]);
  const alone = segment('alone', { isEntry: true, isTerminal: true });
  expect(graphProblems({ segments: [alone], branches: [] })).toEqual([]);
});

test('loops are valid, because the limit of moves ends them', () => {
  const again = edit(({ branches }) =>
    branches.push(branch('long>intro', { via: 'choice' }), branch('short>short', { via: 'choice' })),
  );
  expect(again).toEqual([]);
});

test.each<[string, Parameters<typeof changed>[0], [string, RegExp][]]>([
  ['no segments', (graph) => graph.segments.splice(0), [['segments', /at least one/]]],
  ['no entry', ({ segments }) => (segments[0] = segment('intro')), [['segments', /No segment is the entry/]]],
  [
    'two entries',
    ({ segments }) => (segments[1] = segment('short', { isEntry: true })),
    [['segments', /"intro", "short"/]],
  ],
  [
    'a segment without a default',
    ({ branches }) => (branches[2] = branch('short>end', { via: 'choice' })),
    [['segments.short', /"short" has no default/]],
  ],
  [
    'a segment with two defaults',
    ({ branches }) => branches.push(branch('long>intro')),
    [['segments.long', /"long" has 2 default/]],
  ],
  [
    'a terminal segment that is left',
    ({ branches }) => branches.push(branch('end>intro', { via: 'condition' })),
    [['segments.end', /"end" is terminal.*"end>intro"/]],
  ],
  [
    'a segment that nothing leads to',
    ({ branches }) => branches.splice(1, 1),
    [['segments.long', /to the segment "long"/]],
  ],
  [
    'segments that only lead to each other',
    ({ segments, branches }) => {
      segments.push(segment('day'), segment('night'));
      branches.push(branch('day>night'), branch('night>day'));
    },
    [
      ['segments.day', /"day"/],
      ['segments.night', /"night"/],
    ],
  ],
  [
    'a branch that leads out of the webinar',
    ({ branches }) => branches.push(branch('intro>elsewhere', { via: 'choice' })),
    [['branches.intro>elsewhere', /that the webinar does not have/]],
  ],
  [
    'a branch that comes from outside',
    ({ branches }) => branches.push(branch('elsewhere>intro')),
    [['branches.elsewhere>intro', /that the webinar does not have/]],
  ],
])('%s is reported, and nothing else', (_what, change, expected) => {
  expect(edit(change)).toEqual(
    expected.map(([path, message]) => ({ path, message: expect.stringMatching(message) })),
  );
});

test('all problems are reported at once', () => {
  const problems = edit(({ segments, branches }) => {
    segments[0] = segment('intro', { isEntry: true, isTerminal: true });
    segments.push(segment('island'));
    branches.splice(2, 1);
  });
  expect(problems.map(({ path }) => path)).toEqual([
    'segments.intro',
    'segments.short',
    'segments.island',
    'segments.island',
  ]);
});

test('branches are in the order of priority, and of equal ones the older is first', () => {
  const branches = [
    branch('a>b', { id: '2' }),
    branch('a>c', { id: '3', priority: 10 }),
    branch('b>a', { id: '0' }),
    branch('a>d', { id: '4', priority: 2 }),
    branch('a>e', { id: '1' }),
  ];
  const graph = { segments: [], branches };
  expect(branchesFrom(graph, 'a').map(({ id }) => id)).toEqual(['1', '2', '4', '3']);
});

const names = ['a', 'b', 'c', 'd'];

/** True in one of twenty cases. */
const rarely = fc.integer({ min: 0, max: 19 }).map((dice) => dice === 0);

/** About half are valid: most segments have the default that they need. */
const anyGraph: Arbitrary<Graph> = fc.integer({ min: 0, max: names.length }).chain((count) => {
  const ids = names.slice(0, count);
  const end = fc.constantFrom(...ids, ...ids, ...ids, ...ids, 'x');
  const made = fc.tuple(
    ...ids.map((id, index) =>
      fc
        .record({
          isTerminal: fc.boolean(),
          isOddEntry: rarely,
          isOddEnd: rarely,
          to: fc.constantFrom(...ids),
        })
        .map(({ isTerminal, isOddEntry, isOddEnd, to }) => ({
          segment: segment(id, { isEntry: (index === 0) !== isOddEntry, isTerminal }),
          branches: isTerminal === isOddEnd ? [branch(`${id}>${to}`)] : [],
        })),
    ),
  );
  const via = fc.constantFrom('choice', 'choice', 'choice', 'condition', 'default');
  const extra = fc.tuple(end, end, via).map(([from, to, via]) => branch(`${from}>${to}`, { via }));
  return fc.tuple(made, fc.array(extra, { maxLength: 3 })).map(([parts, extras]) => ({
    segments: parts.map((part) => part.segment),
    branches: [...parts.flatMap((part) => part.branches), ...extras],
  }));
});

/** A second implementation of the rules: follows paths as long as they reach new segments. */
function isSound({ segments, branches }: Graph): boolean {
  const ids = segments.map(({ id }) => id).join('');
  if (segments.filter(({ isEntry }) => isEntry).length !== 1) return false;
  if (!branches.every(({ fromSegmentId: from, toSegmentId: to }) => ids.includes(from) && ids.includes(to)))
    return false;
  for (const { id, isTerminal } of segments) {
    const leaving = branches.filter(({ fromSegmentId }) => fromSegmentId === id).map(({ via }) => via);
    if (isTerminal ? leaving.length > 0 : leaving.join(' ').split('default').length !== 2) return false;
  }
  let ends = segments.filter(({ isEntry }) => isEntry).map(({ id }) => id);
  const seen = new Set<string>();
  for (const _step of segments) {
    for (const end of ends) seen.add(end);
    ends = ends.flatMap((end) =>
      branches.filter(({ id }) => id.startsWith(end)).map(({ toSegmentId }) => toSegmentId),
    );
  }
  return segments.every(({ id }) => seen.has(id));
}

test('a graph has no problems exactly if the second implementation finds it valid', () => {
  const outcomes = new Set<boolean>();
  fc.assert(
    fc.property(anyGraph, (graph) => {
      const sound = isSound(graph);
      outcomes.add(sound);
      expect(graphProblems(graph).length === 0).toBe(sound);
    }),
    { numRuns: 3000 },
  );
  expect(outcomes.size).toBe(2);
});
