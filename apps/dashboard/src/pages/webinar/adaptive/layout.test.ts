import { expect, test } from 'vitest';
import { layOut, neighbour } from './layout.ts';

const nodes = (...ids: string[]) => ids.map((id, index) => ({ id, isEntry: index === 0 }));

const edges = (...ways: string[]) =>
  ways.map((way) => {
    const [fromSegmentId = '', toSegmentId = ''] = way.split('>');
    return { id: way, fromSegmentId, toSegmentId };
  });

const placesOf = (layout: ReturnType<typeof layOut>) =>
  Object.fromEntries([...layout.places].map(([id, { column, row }]) => [id, `${column}/${row}`]));

test('a fork has its ways one below the other, and a way back does not move a segment', () => {
  const layout = layOut(
    nodes('intro', 'short', 'long', 'end'),
    edges('intro>short', 'intro>long', 'short>end', 'long>end', 'long>intro'),
  );
  expect(placesOf(layout)).toEqual({ intro: '0/0', short: '1/0', long: '1/1', end: '2/0' });
  expect([layout.columns, layout.rows]).toEqual([3, 2]);
});

test('a shortcut does not move the segment that it leads to', () => {
  const layout = layOut(nodes('a', 'b', 'c'), edges('a>c', 'a>b', 'b>c'));
  expect(placesOf(layout)).toEqual({ a: '0/0', b: '1/0', c: '2/0' });
});

test('a graph in which every segment leads to every other one has a layout', () => {
  const ids = Array.from({ length: 50 }, (_unused, index) => String(index));
  const ways = ids.flatMap((from) => ids.filter((to) => to !== from).map((to) => `${from}>${to}`));
  const { places, columns } = layOut(nodes(...ids), edges(...ways));
  expect([places.size, columns]).toEqual([50, 50]);
});

test('segments that cannot be reached are in the last column', () => {
  expect(placesOf(layOut(nodes('a', 'b', 'lost'), edges('a>b', 'lost>b')))).toEqual({
    a: '0/0',
    b: '1/0',
    lost: '2/0',
  });
});

test('without an entry everything is in one column', () => {
  const none = [
    { id: 'a', isEntry: false },
    { id: 'b', isEntry: false },
  ];
  expect(placesOf(layOut(none, edges('a>b')))).toEqual({ a: '0/0', b: '0/1' });
  expect(layOut([], [])).toMatchObject({ columns: 0, rows: 0 });
});

test('segments follow the order of those that lead to them', () => {
  const layout = layOut(nodes('a', 'b', 'c', 'd', 'e'), edges('a>b', 'a>c', 'c>d', 'b>e'));
  expect(placesOf(layout)).toMatchObject({ b: '1/0', c: '1/1', e: '2/0', d: '2/1' });
});

test('arrow keys go to the nearest segment of the next column or row', () => {
  const layout = layOut(
    nodes('intro', 'short', 'long', 'end'),
    edges('intro>short', 'intro>long', 'short>end', 'long>end'),
  );
  expect(neighbour(layout, 'intro', 'ArrowRight')).toBe('short');
  expect(neighbour(layout, 'short', 'ArrowDown')).toBe('long');
  expect(neighbour(layout, 'long', 'ArrowRight')).toBe('end');
  expect(neighbour(layout, 'end', 'ArrowLeft')).toBe('short');
  expect(neighbour(layout, 'intro', 'ArrowLeft')).toBeUndefined();
  expect(neighbour(layout, 'intro', 'Tab')).toBeUndefined();
});
