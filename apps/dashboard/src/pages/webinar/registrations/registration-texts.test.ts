import { expect, test } from 'vitest';
import type { DeliveryStatus } from '../../delivery/delivery-status.tsx';
import { moveText, tallyOf } from './registration-texts.ts';

const sent = (...rows: [id: string, status: DeliveryStatus, redeliveryOf?: string][]) =>
  rows.map(([id, status, redeliveryOf = null]) => ({ id, status, redeliveryOf }));

test('the mark shows the most urgent count, and names all of them', () => {
  expect(tallyOf([])).toBeUndefined();
  expect(tallyOf(sent(['a', 'success'], ['b', 'success']))).toEqual({
    tone: 'good',
    text: '2 ok',
    full: '2 ok',
  });
  expect(tallyOf(sent(['a', 'success'], ['b', 'retrying'], ['c', 'queued']))).toMatchObject({
    text: '2 waiting',
    full: '1 ok, 2 waiting',
  });
  expect(
    tallyOf(sent(['a', 'success'], ['b', 'retrying'], ['c', 'failure'], ['d', 'cancelled'])),
  ).toMatchObject({
    tone: 'bad',
    text: '1 failed',
    full: '1 cancelled, 1 ok, 1 waiting, 1 failed',
  });
});

test('a message that was sent again counts once: as ok when any of its deliveries arrived, else by the newest', () => {
  expect(tallyOf(sent(['a', 'failure'], ['b', 'success', 'a']))?.full).toBe('1 ok');
  expect(tallyOf(sent(['a', 'failure'], ['b', 'queued', 'a']))?.full).toBe('1 waiting');
  expect(tallyOf(sent(['a', 'cancelled'], ['b', 'failure', 'a']))?.full).toBe('1 failed');
});

test('the text of a move has both times and the person, key or client that made it', () => {
  const move = (by: object) => ({
    from: { sessionId: 'a', sessionTime: '2030-01-10T16:00:00.000Z' },
    to: { sessionId: 'b', sessionTime: '2030-01-11T17:00:00.000Z' },
    by,
  });
  const texts = [
    { kind: 'attendee' },
    { kind: 'member', name: 'Ada' },
    { kind: 'key', name: 'CRM' },
    { kind: 'grant', name: 'Claude' },
  ];
  expect(
    texts.map(
      (by) =>
        moveText(move(by), 'UTC')
          ?.replaceAll(/ \(.*?\)/g, '')
          .split(', by ')[1],
    ),
  ).toEqual(['the attendee', 'Ada', 'the API key “CRM”', 'the connected client “Claude”']);
  expect(moveText(move({ kind: 'attendee' }), 'UTC')).toMatch(/^From .*10 Jan.* to .*11 Jan/);
  expect(moveText({ from: 1 }, 'UTC')).toBeUndefined();
});
