import { expect, test } from 'vitest';
import type { FeedItem, VisitOutput } from './protocol.ts';
import { applyHeartbeat, applyItem, confirmDraft, enterRoom, type RoomState, stageAt } from './room-state.ts';

const poll = { id: 'poll', type: 'poll', answered: [] } as unknown as VisitOutput['interactions'][number];
const visit = {
  session: {
    status: 'scheduled',
    startsAt: 'a',
    endsAt: 'b',
    positionSeconds: 0,
    isReplay: false,
    pace: 'shared',
  },
  interactions: [poll],
  interactionsVersion: '1',
  path: null,
} as unknown as VisitOutput;

const message = (id: string, text = id): Extract<FeedItem, { type: 'message' }> => ({
  type: 'message',
  id,
  name: 'Ada',
  text,
  sentAt: '2026-11-25T12:00:00.000Z',
  own: false,
  role: 'attendee',
  replyTo: null,
});

const ids = (list: readonly { id: string }[]) => list.map(({ id }) => id);

test('each message is in the chat once, and messages are in the order of time, even if the feed sends them in another order', () => {
  const items = ['3', '1', '3', '2', '1'].map((id) => message(id));
  expect(ids(items.reduce(applyItem, enterRoom(visit)).messages)).toEqual(['1', '2', '3']);
});

test('a hidden message goes, and stays away when the feed brings it again', () => {
  const items = [message('1'), message('2'), { type: 'hidden' as const, id: '1' }, message('1')];
  expect(ids(items.reduce(applyItem, enterRoom(visit)).messages)).toEqual(['2']);
});

test('an own message shows once, whether the answer or the feed comes first', () => {
  const drafted = {
    ...enterRoom(visit),
    drafts: [{ key: 1, text: 'Hi', replyTo: null, problem: undefined }],
  };
  const confirmed = { key: 1, id: '5', sentAt: '2026-11-25T12:00:00.000Z', name: 'Ada' };
  const fed = { ...message('5', 'Hi'), own: true };
  for (const state of [
    applyItem(confirmDraft(drafted, confirmed), fed),
    confirmDraft(applyItem(drafted, fed), confirmed),
  ]) {
    expect(state.drafts).toEqual([]);
    expect(state.messages).toEqual([fed]);
  }
});

test('a heartbeat without a list keeps the interactions, and one with a list replaces them', () => {
  const beat = {
    serverNow: '',
    status: 'live' as const,
    positionSeconds: 1,
    watchedSeconds: 5,
    completionPercent: 1,
  };
  const kept = applyHeartbeat(enterRoom(visit), beat, null);
  expect([ids(kept.interactions), kept.interactionsVersion, kept.session.status]).toEqual([
    ['poll'],
    '1',
    'live',
  ]);
  const changed = applyHeartbeat(kept, { ...beat, interactions: [], interactionsVersion: '2' }, null);
  expect([ids(changed.interactions), changed.interactionsVersion]).toEqual([[], '2']);
});

test('a page that enters again does not return to the position that the host set before', () => {
  const progress = {
    type: 'progress' as const,
    status: 'live' as const,
    positionSeconds: 9,
    segmentId: null,
  };
  const led = applyItem(enterRoom(visit), progress);
  expect(enterRoom(visit, led).led).toEqual(led.led);
  expect(applyItem(enterRoom(visit, led), progress).led?.count).toBe(2);
});

test('a replay does not follow the status and the position of the session', () => {
  const replay = enterRoom({
    ...visit,
    session: { ...visit.session, status: 'ended', isReplay: true, pace: 'own' },
  });
  const items = [
    { type: 'session' as const, status: 'live' as const, startsAt: 'x', endsAt: 'y' },
    { type: 'progress' as const, status: 'live' as const, positionSeconds: 9, segmentId: null },
  ];
  expect(items.reduce(applyItem, replay)).toEqual(replay);
});

const startsAt = '2026-11-25T12:00:00.000Z';
const start = Date.parse(startsAt);
const session = (fields: object = {}) => ({
  session: {
    status: 'scheduled',
    startsAt,
    endsAt: '2026-11-25T13:00:00.000Z',
    positionSeconds: 0,
    isReplay: false,
    pace: 'shared',
    ...fields,
  } as RoomState['session'],
});

test('a lobby turns into the room and ends by the clock, without a message from the service', () => {
  const stages = [-1, 0, 3_599_999, 3_600_000].map((ms) => stageAt(session(), start + ms));
  expect(stages).toEqual(['waiting', 'playing', 'playing', 'over']);
});

test('a session that its host leads follows the status only', () => {
  expect(stageAt(session({ pace: 'led' }), start + 1000)).toBe('waiting');
  expect(stageAt(session({ pace: 'led', status: 'live' }), start - 1000)).toBe('playing');
});

test('a session that ended early or was cancelled is over, and its replay plays', () => {
  expect(stageAt(session({ status: 'ended' }), start + 1000)).toBe('over');
  expect(stageAt(session({ status: 'cancelled' }), start - 1000)).toBe('over');
  expect(stageAt(session({ status: 'ended', isReplay: true }), start + 9e9)).toBe('playing');
});
