import { expect, test } from 'vitest';
import type { HeartbeatInput } from '../attendance/heartbeat-input.ts';
import { heartbeatsToCall, createLine, type LineEntry } from './attendee-line.ts';

const token = { accountId: 'account', registrationId: 'registration', tokenVersion: 1 };

const beatOf = (seq: number, fields: Partial<HeartbeatInput> = {}): HeartbeatInput => ({
  visitId: 'page',
  seq,
  playheadSeconds: seq * 10,
  intervals: [[seq * 10 - 10, seq * 10]],
  state: 'playing',
  visible: true,
  ...fields,
});

const heartbeat = (seq: number, fields: Partial<HeartbeatInput> = {}): LineEntry => {
  const beat = beatOf(seq, fields);
  return { ...call(), call: heartbeatsToCall(token, [beat]), heartbeats: [beat] };
};

const call = (fields: Partial<LineEntry> = {}): LineEntry => ({
  call: { token, handle: () => ({ answer: () => undefined }) },
  settles: [() => undefined],
  waitsSinceMs: 0,
  isAlone: false,
  ...fields,
});

/** The heartbeat numbers of each waiting entry. Undefined for another call. */
const seqsOf = (entries: readonly LineEntry[]) =>
  entries.map(({ heartbeats }) => heartbeats?.map(({ seq }) => seq));

const lineOf = (...entries: LineEntry[]) => {
  const line = createLine('key');
  for (const entry of entries) line.add(entry);
  return line;
};

test('waiting heartbeats of one page are one entry, in the order of their numbers, each number once', () => {
  const entries = lineOf(heartbeat(2), call(), heartbeat(4), heartbeat(3), heartbeat(4)).take(100);
  expect(seqsOf(entries)).toEqual([[2, 3, 4], undefined]);
  expect(entries[0]!.settles).toHaveLength(4);
});

test('heartbeats of different pages or segments are separate entries', () => {
  const other = { visitId: 'other' };
  const segment = { segmentId: 'segment' };
  const line = lineOf(
    heartbeat(1),
    heartbeat(1, other),
    heartbeat(2),
    heartbeat(3, segment),
    heartbeat(2, other),
  );
  expect(seqsOf(line.take(100))).toEqual([[1, 2], [1, 2], [3]]);
});

test('a heartbeat joins neither one that ends a segment nor one before a branch call', () => {
  const ended = lineOf(heartbeat(1), heartbeat(2, { state: 'ended' }), heartbeat(3));
  expect(seqsOf(ended.take(100))).toEqual([[1, 2], [3]]);
  const late = lineOf(heartbeat(2), heartbeat(1, { state: 'ended' }));
  expect(seqsOf(late.take(100))).toEqual([[2], [1]]);
  const moved = lineOf(heartbeat(1), call({ isMove: true }), heartbeat(2));
  expect(seqsOf(moved.take(100))).toEqual([[1], undefined, [2]]);
});

test('a heartbeat that is put back joins those that arrived meanwhile, before later calls', () => {
  const line = lineOf(heartbeat(1), call());
  const taken = line.take(100);
  for (const entry of [heartbeat(2), call(), heartbeat(3)]) line.add(entry);
  line.putBack(taken);
  expect(seqsOf(line.take(100))).toEqual([[1, 2, 3], undefined, undefined]);
});

test('an entry that runs alone is taken alone and joins no other', () => {
  const line = lineOf(heartbeat(1), call());
  const taken = line.take(100);
  for (const entry of taken) entry.isAlone = true;
  line.putBack(taken);
  line.add(heartbeat(2));
  expect([line.isNextAlone(), seqsOf(line.take(100))]).toEqual([true, [[1]]]);
  expect([line.isNextAlone(), seqsOf(line.take(100))]).toEqual([true, [undefined]]);
  expect([line.isNextAlone(), seqsOf(line.take(100))]).toEqual([false, [[2]]]);
});

test('eight calls and sixteen heartbeats can be unanswered, and each answer frees one place', () => {
  const line = createLine('key');
  const addMany = (count: number, entryOf: (index: number) => LineEntry) =>
    Array.from({ length: count }, (_, index) => line.add(entryOf(index))).filter(Boolean).length;
  expect(addMany(20, (index) => heartbeat(index + 1))).toBe(16);
  expect(addMany(20, () => call())).toBe(8);
  const [heartbeats, first] = line.take(2);
  expect([line.add(heartbeat(30)), line.add(call())]).toEqual([false, false]);
  line.finish(heartbeats!);
  line.finish(first!);
  expect(addMany(20, (index) => heartbeat(index + 40))).toBe(16);
  expect(addMany(20, () => call())).toBe(1);
});
