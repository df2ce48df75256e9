import { createId } from '@service/database';
import { expect, test } from 'vitest';
import { createNewsPages, emptyBoard, learn, pageOf, type Message } from './board.ts';
import { formatCursor, parseCursor } from './feed-cursor.ts';
import type { FeedPage, MessageItem, PollItem, ProgressItem } from './feed-item.ts';
import type { RoomIdentity } from './room.ts';

const start = Date.parse('2026-11-21T12:00:00Z');

const messageAt = (seconds: number, registrationId = 'ada', text = ''): Message => ({
  id: createId(new Date(start + seconds * 1000)),
  registrationId,
  name: registrationId,
  text,
  sentAt: new Date(start + seconds * 1000).toISOString(),
});

const poll = (count: number, interactionId = 'poll'): PollItem => ({
  type: 'poll',
  interactionId,
  results: [{ optionId: 'a', label: 'A', count }],
});

const progress = (positionSeconds: number): ProgressItem => ({
  type: 'progress',
  status: 'live',
  positionSeconds,
  segmentId: null,
});

const identity = (registrationId: string, chatMode: RoomIdentity['chatMode'] = 'public'): RoomIdentity => ({
  accountId: 'account',
  webinarId: 'webinar',
  sessionId: 'session',
  registrationId,
  chatMode,
});

const seen = (messages: readonly Message[], polls: PollItem[] = [], at: ProgressItem | null = null) => ({
  messages,
  polls,
  progress: at,
});

const idsOf = (page: FeedPage | undefined): string[] | undefined =>
  page?.items.filter((item): item is MessageItem => item.type === 'message').map(({ id }) => id);

const othersOf = (page: FeedPage): FeedPage['items'] => page.items.filter(({ type }) => type !== 'message');

test('a message that becomes visible after later ones is new, and none is new twice', () => {
  const [first, late, last] = [messageAt(0), messageAt(1), messageAt(2)];
  const one = learn(emptyBoard, seen([first, last]));
  const two = learn(one.board, seen([first, late, last]));
  const three = learn(two.board, seen([late, last]));
  expect([one, two, three].map(({ news }) => news.messages)).toEqual([[first, last], [late], []]);
  expect(three.board.messages).toEqual([first, late, last]);
});

test('only changed polls and progress are new, and only once', () => {
  const one = learn(emptyBoard, seen([], [poll(1), poll(1, 'other')], progress(0)));
  const two = learn(one.board, seen([], [poll(2), poll(1, 'other')], progress(0)));
  const three = learn(two.board, seen([], [poll(2), poll(1, 'other')], progress(5)));
  expect(two.news).toEqual(seen([], [poll(2)]));
  expect(three.news).toEqual(seen([], [], progress(5)));
});

test('the first page has the newest fifty messages, later ones at most a hundred, and a board keeps two hundred', () => {
  const messages = Array.from({ length: 300 }, (_, index) => messageAt(index));
  const { board, news } = learn(emptyBoard, seen(messages));
  const ids = messages.map(({ id }) => id);
  expect(news.messages.map(({ id }) => id)).toEqual(ids.slice(200));
  expect(board.messages.map(({ id }) => id)).toEqual(ids.slice(100));
  expect(idsOf(pageOf(board, { identity: identity('bob') }))).toEqual(ids.slice(250));
  const since = { messageId: ids[120]!, pollsTag: '', progressTag: '' };
  expect(idsOf(pageOf(board, { identity: identity('bob'), since }))).toEqual(ids.slice(200));
});

test('a page starts two seconds before its cursor, and has polls and progress only if they changed', () => {
  const messages = [0, 7, 8.5, 10].map((seconds) => messageAt(seconds));
  const { board } = learn(emptyBoard, seen(messages, [poll(1)], progress(0)));
  const first = pageOf(board, { identity: identity('bob') });
  expect(othersOf(first)).toEqual([poll(1), progress(0)]);
  const since = parseCursor(first.cursor)!;
  const next = pageOf(board, { identity: identity('bob'), since });
  expect(idsOf(next)).toEqual(messages.slice(2).map(({ id }) => id));
  expect(othersOf(next)).toEqual([]);
  const voted = learn(board, seen(messages, [poll(2)], progress(0)));
  expect(othersOf(pageOf(voted.board, { identity: identity('bob'), since }))).toEqual([poll(2)]);
  const moved = learn(board, seen(messages, [poll(1)], progress(9)));
  expect(othersOf(pageOf(moved.board, { identity: identity('bob'), since }))).toEqual([progress(9)]);
});

test('in a private chat attendees see only their own messages, and with the chat off none', () => {
  const [old, hers, his] = [messageAt(0, 'ada'), messageAt(1, 'ada'), messageAt(2, 'bob')];
  const { board, news } = learn(emptyBoard, seen([hers, his]));
  const ada = identity('ada', 'private');
  expect(idsOf(pageOf(board, { identity: ada, own: [old, hers] }))).toEqual([old.id, hers.id]);
  expect(idsOf(pageOf(board, { identity: identity('ada', 'off') }))).toEqual([]);
  const pageFor = createNewsPages(board, news);
  expect(idsOf(pageFor(ada))).toEqual([hers.id]);
  expect(pageFor(identity('eve', 'private'))).toBeUndefined();
  expect(pageFor(identity('ada', 'off'))).toBeUndefined();
});

test('the author of a message sees it as own, and all others share one page', () => {
  const { board, news } = learn(emptyBoard, seen([messageAt(0, 'ada')], [poll(1)]));
  const pageFor = createNewsPages(board, news);
  expect(pageFor(identity('ada'))!.items).toMatchObject([{ own: true }, { type: 'poll' }]);
  expect(pageFor(identity('bob'))!.items).toMatchObject([{ own: false }, { type: 'poll' }]);
  expect(pageFor(identity('eve'))).toBe(pageFor(identity('bob')));
  expect(JSON.stringify(pageFor(identity('bob')))).not.toContain('registrationId');
});

test('a cursor is read as it was written, and other texts are not cursors', () => {
  const cursor = { messageId: createId(), pollsTag: 'abcdefgh', progressTag: '-_345678' };
  expect(parseCursor(formatCursor(cursor))).toEqual(cursor);
  expect(parseCursor(formatCursor({ ...cursor, messageId: '' }))).toEqual({ ...cursor, messageId: '' });
  for (const text of ['', '..', 'x', `${formatCursor(cursor)}x`, `${createId()}.abcdefgh`])
    expect(parseCursor(text), text).toBeUndefined();
});
