import { expect, test } from 'vitest';
import {
  announceNew,
  countdownLeft,
  dueInteractions,
  mergeMessages,
  placeInteractions,
  recordedMessages,
} from './due-interactions.ts';
import type { ChatMessage } from './protocol.ts';

const one = (id: string, showAtSeconds: number, fields: object = {}) => ({
  id,
  segmentId: null as string | null,
  showAtSeconds,
  hideAtSeconds: null as number | null,
  display: 'popup',
  dismissible: true,
  ...fields,
});

const at = (positionSeconds: number, segmentId?: string) => ({ positionSeconds, segmentId });
const ids = (list: readonly { id: string }[]) => list.map(({ id }) => id);

test('an interaction is shown from its time until its end, and without an end for ever', () => {
  const list = [one('a', 10, { hideAtSeconds: 20 }), one('b', 15)];
  expect([9.9, 10, 15, 19.9, 20, 9000].map((second) => ids(dueInteractions(list, at(second))))).toEqual([
    [],
    ['a'],
    ['b', 'a'],
    ['b', 'a'],
    ['b'],
    ['b'],
  ]);
});

test('an interaction of a segment is shown only in it', () => {
  const list = [one('a', 0, { segmentId: 'first' }), one('b', 0)];
  expect(ids(dueInteractions(list, at(1, 'first')))).toEqual(['b', 'a']);
  expect(ids(dueInteractions(list, at(1, 'second')))).toEqual(['b']);
  expect(ids(dueInteractions(list, at(1)))).toEqual(['b']);
});

test('the newest popup that is not closed is over the video, and closed ones stay in the panel', () => {
  const due = [one('new', 20), one('old', 10), one('strip', 5, { display: 'banner' })];
  const open = placeInteractions(due, new Set());
  expect([open.popup?.id, open.banner?.id]).toEqual(['new', 'strip']);
  const closed = placeInteractions(due, new Set(['new', 'strip']));
  expect([closed.popup?.id, closed.banner?.id, ids(closed.panel)]).toEqual([
    'old',
    undefined,
    ['new', 'old', 'strip'],
  ]);
});

test('an interaction is announced when it appears, and not again when a later one ends', () => {
  const [poll, offer] = [
    { id: 'poll', headline: 'What next?' },
    { id: 'offer', headline: 'Starter' },
  ];
  const before = { seenIds: new Set<string>(), headline: undefined };
  const first = announceNew(before, [poll]);
  const both = announceNew(first, [offer, poll]);
  expect([first.headline, both.headline]).toEqual(['What next?', 'Starter']);
  expect(announceNew(both, [poll])).toBe(both);
});

test('a countdown is the same for a late comer and never below zero', () => {
  const left = (positionSeconds: number) =>
    countdownLeft({ showAtSeconds: 100, countdownSeconds: 60, positionSeconds });
  expect([left(100), left(130.2), left(160), left(500)]).toEqual([60, 30, 0, 0]);
});

test('recorded messages are in the chat at the time of their position, between the messages of attendees', () => {
  const startMs = Date.parse('2026-11-25T12:00:00Z');
  const list = [
    { id: 'recorded', type: 'chat' as const, headline: 'Welcome!', authorName: 'Mara', showAtSeconds: 30 },
    { id: 'offer', type: 'offer' as const, headline: 'Starter', showAtSeconds: 20 },
  ];
  const said = (id: string, second: number) =>
    ({ id, sentAt: new Date(startMs + second * 1000).toISOString() }) as ChatMessage;
  const merged = mergeMessages([said('first', 10), said('last', 40)], recordedMessages(list, startMs));
  expect(ids(merged)).toEqual(['first', 'recorded', 'last']);
  expect(merged[1]).toMatchObject({ name: 'Mara', text: 'Welcome!', role: 'simulated', own: false });
});
