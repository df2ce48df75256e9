import { expect, test } from 'vitest';
import { changedFields, compareEdits, mergeEdits } from './edits.ts';

const base = { title: 'Launch', room: { chat: 'public', seek: false }, days: ['mon'] };

test('each field that one of two people changed is named, and a field that both changed alike is not', () => {
  const mine = { ...base, title: 'Mine', room: { chat: 'off', seek: true } };
  const theirs = { ...base, title: 'Theirs', room: { chat: 'off', seek: false }, days: ['tue'] };
  expect(compareEdits({ base, mine, theirs })).toEqual([
    { path: 'title', base: 'Launch', mine: 'Mine', theirs: 'Theirs', isMine: true, isTheirs: true },
    { path: 'room.seek', base: false, mine: true, theirs: false, isMine: true, isTheirs: false },
    { path: 'days', base: ['mon'], mine: ['mon'], theirs: ['tue'], isMine: false, isTheirs: true },
  ]);
});

test('merged edits have the changes of both, and of a field that both changed the chosen one', () => {
  const mine = { ...base, title: 'Mine', room: { chat: 'public', seek: true } };
  const theirs = { ...base, title: 'Theirs', days: ['tue'] };
  const edits = { base, mine, theirs };
  const room = { chat: 'public', seek: true };
  expect(mergeEdits(edits, () => true)).toEqual({ title: 'Mine', room, days: ['tue'] });
  expect(mergeEdits(edits, (path) => path !== 'title')).toEqual({ title: 'Theirs', room, days: ['tue'] });
});

test('an object that is compared as a whole is taken from one of the two, with members that the other does not have', () => {
  const whole = ['trigger'];
  const first = { name: 'Leads', trigger: { type: 'registered', params: {} } };
  const mine = { ...first, trigger: { type: 'watched_minutes', params: { minutes: 5 } } };
  const theirs = { name: 'Warm leads', trigger: { type: 'poll_response', params: { interactionId: 'a' } } };
  const edits = { base: first, mine, theirs, whole };
  expect(compareEdits(edits).map(({ path }) => path)).toEqual(['name', 'trigger']);
  expect(mergeEdits(edits, () => true)).toEqual({ ...mine, name: 'Warm leads' });
  expect(mergeEdits(edits, () => false)).toEqual(theirs);
});

test('only changed fields are sent, and the order of members is no change', () => {
  const after = { title: 'New', room: { seek: false, chat: 'public' }, days: ['mon'] };
  expect(changedFields(base, after)).toEqual({ title: 'New' });
});
