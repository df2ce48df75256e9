import { expect, test } from 'vitest';
import type { RoomState } from './room-state.ts';
import { stageAt } from './session-phase.ts';

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
