import { expect, test } from 'vitest';
import { atMost, exactly, never } from '../count.ts';
import { noteClick, noteMessage, noteSign, noteVote, nothingDone, type Doings } from '../attendee/doings.ts';
import { anySubject, expectationsOf } from './expectations.ts';
import type { Interval } from '../attendee/player.ts';
import { createProgramme } from '../programme.ts';
import type { EventType } from '../service/sources.ts';

const programme = createProgramme({ minutes: 4, speed: 1 });
const interactions = { offer: 'o1', cta: 'c1', poll: 'p1' };

const expectedOf = (doings: Doings, isFollowed = true) =>
  expectationsOf(doings, { programme, interactions, isFollowed });

const beat = (doings: Doings, intervals: Interval[], isSure = true): void =>
  noteSign(doings, { type: 'beat', sentMs: 0, answeredMs: 10, isSure }, intervals);

const eventsOf = (doings: Doings, ...types: EventType[]) =>
  types.map((type) => expectedOf(doings).events.get(type));

const fireOf = (doings: Doings, source: string) => Object.fromEntries(expectedOf(doings).fires.get(source)!);

test('somebody who never came is a no-show and nothing else', () => {
  const { events, fires } = expectedOf(nothingDone());
  const happened = [...events].filter(([, { most }]) => most > 0).map(([type]) => type);
  expect(happened).toEqual(['registered', 'no_show']);
  const fired = [...fires].filter(([, subjects]) => [...subjects.values()].some(({ most }) => most > 0));
  expect(fired.map(([source]) => source)).toEqual(['registered', 'no_show']);
});

test('a mark is reached with the very second, and each second counts once', () => {
  const doings = nothingDone();
  beat(doings, [[0, 59.4]]);
  beat(doings, [[20, 59.4]]);
  expect(eventsOf(doings, 'joined', 'left', 'no_show', 'watched_percent')).toEqual([
    exactly(1),
    exactly(1),
    never,
    never,
  ]);
  beat(doings, [[59.4, 59.6]]);
  expect(eventsOf(doings, 'watched_percent', 'watched_minutes')).toEqual([exactly(1), never]);
  expect(fireOf(doings, 'watched_percent-25')).toEqual({ '': exactly(1) });
  expect(fireOf(doings, 'watched_percent-50')).toEqual({ '': never });
});

test('two minutes are a hundred and twenty seconds', () => {
  const doings = nothingDone();
  beat(doings, [[0, 119.4]]);
  expect(eventsOf(doings, 'watched_minutes')).toEqual([never]);
  beat(doings, [[119.4, 119.6]]);
  expect(eventsOf(doings, 'watched_minutes')).toEqual([exactly(1)]);
});

test('whoever has watched 95 percent has completed the video, and all marks before', () => {
  const doings = nothingDone();
  beat(doings, [[0, 228]]);
  expect(eventsOf(doings, 'watched_minutes', 'watched_percent', 'video_complete')).toEqual([
    exactly(1),
    exactly(3),
    exactly(1),
  ]);
  const less = nothingDone();
  beat(less, [[0, 227.4]]);
  expect(eventsOf(less, 'video_complete')).toEqual([never]);
});

test('a heartbeat that was never answered leaves open what it would have made', () => {
  const doings = nothingDone();
  beat(doings, [[0, 50]]);
  beat(doings, [[50, 70]], false);
  expect(eventsOf(doings, 'watched_percent')).toEqual([atMost(1)]);
  expect(expectedOf(doings).watchedSeconds).toEqual({ least: 50, most: 70 });
});

test('every click is recorded, and the first on each interaction is told', () => {
  const doings = nothingDone();
  noteClick(doings, 'offer', 'done');
  noteClick(doings, 'offer', 'done');
  noteClick(doings, 'cta', 'unknown');
  noteClick(doings, 'cta', 'refused');
  expect(eventsOf(doings, 'cta_click')).toEqual([{ least: 2, most: 3 }]);
  expect(fireOf(doings, 'cta_click')).toEqual({ o1: exactly(1), c1: atMost(1) });
});

test('the same vote again is no other vote', () => {
  const doings = nothingDone();
  noteVote(doings, 'soon', 'done');
  noteVote(doings, 'soon', 'done');
  expect(eventsOf(doings, 'poll_response')).toEqual([exactly(1)]);
  expect(fireOf(doings, 'poll_response')).toEqual({ 'p1:soon': exactly(1) });
});

test('of messages those with the keyword are told, each by its id', () => {
  const doings = nothingDone();
  noteMessage(doings, { text: 'Hello', id: 'm1' }, 'done');
  noteMessage(doings, { text: 'What is the PRICE?', id: 'm2' }, 'done');
  noteMessage(doings, { text: 'The price?', id: undefined }, 'unknown');
  noteMessage(doings, { text: 'The price!', id: undefined }, 'refused');
  expect(eventsOf(doings, 'chat_response')).toEqual([{ least: 2, most: 3 }]);
  expect(fireOf(doings, 'chat_response')).toEqual({ m2: exactly(1), [anySubject]: atMost(1) });
});

test('without webhooks nothing fires, and nobody waits for marks of watch time', () => {
  const doings = nothingDone();
  beat(doings, [[0, 240]]);
  const { events, fires } = expectedOf(doings, false);
  expect(fires.size).toBe(0);
  expect([events.get('watched_percent'), events.get('video_complete')]).toEqual([never, exactly(1)]);
});
