import { createId } from '@service/database';
import { expect, test } from 'vitest';
import {
  createUpdatePages,
  emptyContent,
  emptySnapshot,
  type FeedPage,
  formatCursor,
  type Message,
  pageOf,
  parseCursor,
  updateSnapshot,
} from './feed-snapshot.ts';
import type { RoomIdentity } from './room.ts';
import type { MessageItem, PollItem, ProgressItem } from './schemas.ts';

const start = Date.parse('2026-11-21T12:00:00Z');

const messageAt = (seconds: number, registrationId = 'ada', text = ''): Message => ({
  id: createId(new Date(start + seconds * 1000)),
  registrationId,
  name: registrationId,
  text,
  sentAt: new Date(start + seconds * 1000).toISOString(),
  role: 'attendee',
  replyTo: null,
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
  ...emptyContent,
  messages,
  polls,
  progress: at,
});

const idsOf = (page: FeedPage | undefined): string[] | undefined =>
  page?.items.filter((item): item is MessageItem => item.type === 'message').map(({ id }) => id);

const othersOf = (page: FeedPage): FeedPage['items'] => page.items.filter(({ type }) => type !== 'message');

test('a message that becomes visible after later ones is new, and none is new twice', () => {
  const [first, late, last] = [messageAt(0), messageAt(1), messageAt(2)];
  const one = updateSnapshot(emptySnapshot, seen([first, last]));
  const two = updateSnapshot(one.snapshot, seen([first, late, last]));
  const three = updateSnapshot(two.snapshot, seen([late, last]));
  expect([one, two, three].map(({ update }) => update.messages)).toEqual([[first, last], [late], []]);
  expect(three.snapshot.messages).toEqual([first, late, last]);
});

test('only changed polls and progress are new, and only once', () => {
  const one = updateSnapshot(emptySnapshot, seen([], [poll(1), poll(1, 'other')], progress(0)));
  const two = updateSnapshot(one.snapshot, seen([], [poll(2), poll(1, 'other')], progress(0)));
  const three = updateSnapshot(two.snapshot, seen([], [poll(2), poll(1, 'other')], progress(5)));
  expect(two.update).toEqual(seen([], [poll(2)]));
  expect(three.update).toEqual(seen([], [], progress(5)));
});

test('the first page has the newest fifty messages, later ones at most a hundred, and a board keeps two hundred', () => {
  const messages = Array.from({ length: 300 }, (_, index) => messageAt(index));
  const { snapshot, update } = updateSnapshot(emptySnapshot, seen(messages));
  const ids = messages.map(({ id }) => id);
  expect(update.messages.map(({ id }) => id)).toEqual(ids.slice(200));
  expect(snapshot.messages.map(({ id }) => id)).toEqual(ids.slice(100));
  expect(idsOf(pageOf(snapshot, { identity: identity('bob') }))).toEqual(ids.slice(250));
  const since = { messageId: ids[120]!, pollsTag: '', progressTag: '' };
  expect(idsOf(pageOf(snapshot, { identity: identity('bob'), since }))).toEqual(ids.slice(200));
});

test('a page starts two seconds before its cursor, and has polls and progress only if they changed', () => {
  const messages = [0, 7, 8.5, 10].map((seconds) => messageAt(seconds));
  const { snapshot } = updateSnapshot(emptySnapshot, seen(messages, [poll(1)], progress(0)));
  const first = pageOf(snapshot, { identity: identity('bob') });
  expect(othersOf(first)).toEqual([poll(1), progress(0)]);
  const since = parseCursor(first.cursor)!;
  const next = pageOf(snapshot, { identity: identity('bob'), since });
  expect(idsOf(next)).toEqual(messages.slice(2).map(({ id }) => id));
  expect(othersOf(next)).toEqual([]);
  const voted = updateSnapshot(snapshot, seen(messages, [poll(2)], progress(0)));
  expect(othersOf(pageOf(voted.snapshot, { identity: identity('bob'), since }))).toEqual([poll(2)]);
  const moved = updateSnapshot(snapshot, seen(messages, [poll(1)], progress(9)));
  expect(othersOf(pageOf(moved.snapshot, { identity: identity('bob'), since }))).toEqual([progress(9)]);
});

test('in a private chat attendees see only their own messages, and with the chat off none', () => {
  const [old, hers, his] = [messageAt(0, 'ada'), messageAt(1, 'ada'), messageAt(2, 'bob')];
  const { snapshot, update } = updateSnapshot(emptySnapshot, seen([hers, his]));
  const ada = identity('ada', 'private');
  expect(idsOf(pageOf(snapshot, { identity: ada, own: [old, hers] }))).toEqual([old.id, hers.id]);
  expect(idsOf(pageOf(snapshot, { identity: identity('ada', 'off') }))).toEqual([]);
  const pages = createUpdatePages(snapshot, update);
  const pageFor = (viewer: RoomIdentity) => pages({ identity: viewer });
  expect(idsOf(pageFor(ada))).toEqual([hers.id]);
  expect(pageFor(identity('eve', 'private'))).toBeUndefined();
  expect(pageFor(identity('ada', 'off'))).toBeUndefined();
});

test('in a private chat a reply of the host quotes a question only to its author', () => {
  const question = messageAt(0, 'ada', 'My salary is low');
  const reply: Message = {
    ...messageAt(1),
    registrationId: null,
    role: 'presenter',
    replyTo: { id: question.id, name: 'ada', text: question.text, registrationId: 'ada' },
  };
  const { snapshot, update } = updateSnapshot(emptySnapshot, seen([reply]));
  const updateFor = createUpdatePages(snapshot, update);
  const quotesFor = (person: string, chatMode: RoomIdentity['chatMode']) => {
    const viewer = identity(person, chatMode);
    return [pageOf(snapshot, { identity: viewer }), updateFor({ identity: viewer })!].map(
      ({ items }) => (items[0] as MessageItem).replyTo,
    );
  };
  const quote = { id: question.id, name: 'ada', text: question.text };
  expect(quotesFor('bob', 'private')).toEqual([null, null]);
  expect(quotesFor('ada', 'private')).toEqual([quote, quote]);
  expect(quotesFor('bob', 'public')).toEqual([quote, quote]);
});

test('the author of a message sees it as own, and all others share one page', () => {
  const { snapshot, update } = updateSnapshot(emptySnapshot, seen([messageAt(0, 'ada')], [poll(1)]));
  const pages = createUpdatePages(snapshot, update);
  const pageFor = (viewer: RoomIdentity) => pages({ identity: viewer });
  expect(pageFor(identity('ada'))!.items).toMatchObject([{ own: true }, { type: 'poll' }]);
  expect(pageFor(identity('bob'))!.items).toMatchObject([{ own: false }, { type: 'poll' }]);
  expect(pageFor(identity('eve'))).toBe(pageFor(identity('bob')));
  expect(JSON.stringify(pageFor(identity('bob')))).not.toContain('registrationId');
});

test('a hidden message leaves every page, its quotes too, and comes back when it is shown again', () => {
  const [first, second] = [messageAt(0, 'ada', 'Buy pills'), messageAt(1, 'bob')];
  const { id } = first;
  const reply = { ...messageAt(2, 'eve'), replyTo: { id, name: 'ada', text: 'Buy pills' } };
  const messages = [first, second, reply];
  const before = updateSnapshot(emptySnapshot, seen(messages)).snapshot;
  const since = parseCursor(pageOf(before, { identity: identity('bob') }).cursor)!;
  const { snapshot, update } = updateSnapshot(before, { ...seen([]), hiddenIds: [id] });
  const pageFor = createUpdatePages(snapshot, update);
  expect(pageFor({ identity: identity('bob') })!.items).toEqual([{ type: 'hidden', id }]);
  const later = pageOf(snapshot, { identity: identity('bob'), since });
  expect(othersOf(later)).toEqual([{ type: 'hidden', id }]);
  for (const person of ['ada', 'bob', 'carl']) {
    const page = pageOf(snapshot, { identity: identity(person), own: person === 'ada' ? [first] : [] });
    expect(idsOf(page), person).toEqual([second.id, reply.id]);
    expect(JSON.stringify(page), person).not.toContain('Buy pills');
  }
  const again = updateSnapshot(snapshot, seen([]));
  expect(idsOf(createUpdatePages(again.snapshot, again.update)({ identity: identity('bob') }))).toEqual([id]);
});

test('a cursor is read as it was written, and other texts are not cursors', () => {
  const cursor = { messageId: createId(), pollsTag: 'abcdefgh', progressTag: '-_345678' };
  expect(parseCursor(formatCursor(cursor))).toEqual(cursor);
  expect(parseCursor(formatCursor({ ...cursor, messageId: '' }))).toEqual({ ...cursor, messageId: '' });
  for (const text of ['', '..', 'x', `${formatCursor(cursor)}x`, `${createId()}.abcdefgh`])
    expect(parseCursor(text), text).toBeUndefined();
});
