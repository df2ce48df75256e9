import { expect, test } from 'vitest';
import { matchesVersion, versionOf } from './version.ts';

const webinar = {
  id: '1',
  title: 'Launch',
  room: { chatMode: 'public', seekAllowed: false },
  nextSession: null,
  updatedAt: '2026-11-22T20:00:00.000Z',
};

test('a record has the same version in every order of its fields, also inside', () => {
  const { id, title, room, ...rest } = webinar;
  const other = { ...rest, room: { seekAllowed: room.seekAllowed, chatMode: room.chatMode }, title, id };
  expect(versionOf(other)).toBe(versionOf(webinar));
  expect(versionOf(webinar)).toMatch(/^[0-9a-f]{16}$/);
});

test('every edited field changes the version, and a field that changes by itself does not', () => {
  const before = versionOf(webinar);
  expect(versionOf({ ...webinar, title: 'launch' })).not.toBe(before);
  expect(versionOf({ ...webinar, room: { ...webinar.room, seekAllowed: true } })).not.toBe(before);
  expect(versionOf({ ...webinar, nextSession: { id: '2' }, updatedAt: 'later' })).toBe(before);
});

test('the order of a list belongs to the version', () => {
  expect(versionOf({ options: ['a', 'b'] })).not.toBe(versionOf({ options: ['b', 'a'] }));
});

test('versions of many similar records differ', () => {
  const versions = Array.from({ length: 20_000 }, (_unused, index) =>
    versionOf({ title: `Webinar ${index}` }),
  );
  expect(new Set(versions).size).toBe(20_000);
});

test.each([
  ['"abc"', true],
  ['"abc.f00"', true],
  ['W/"abc.f00"', true],
  ['"other", "abc.1"', true],
  ['*', true],
  ['"abcd"', false],
  ['"f00.abc"', false],
  ['abc', false],
  ['', false],
])('If-Match: %s matches the version abc: %s', (ifMatch, isMatch) => {
  expect(matchesVersion(ifMatch, 'abc')).toBe(isMatch);
});
