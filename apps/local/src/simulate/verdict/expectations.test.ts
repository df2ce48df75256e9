import { expect, test } from 'vitest';
import { atMost, exactly, never } from '../count.ts';
import {
  noteClick,
  noteMessage,
  noteSignal,
  noteVote,
  createActionLog,
  type ActionLog,
} from '../attendee/action-log.ts';
import { anySubject, expectationsOf } from './expectations.ts';
import type { Interval } from '../attendee/player.ts';
import { createProgramme } from '../programme.ts';
import type { EventType } from '../service/event-sources.ts';

const programme = createProgramme({ minutes: 4, speed: 1 });
const interactions = { offer: 'o1', cta: 'c1', handout: 'h1', poll: 'p1' };

const expectedOf = (actionLog: ActionLog, hasWebhooks = true) =>
  expectationsOf(actionLog, { programme, interactions, hasWebhooks });

const beat = (actionLog: ActionLog, intervals: Interval[], isSure = true): void =>
  noteSignal(actionLog, { type: 'beat', sentMs: 0, answeredMs: 10, isSure }, intervals);

const eventsOf = (actionLog: ActionLog, ...types: EventType[]) =>
  types.map((type) => expectedOf(actionLog).events.get(type));

const fireOf = (actionLog: ActionLog, source: string) =>
  Object.fromEntries(expectedOf(actionLog).fires.get(source)!);

test('an attendee without a visit is a no-show and nothing else', () => {
  const { events, fires } = expectedOf(createActionLog());
  const happened = [...events].filter(([, { most }]) => most > 0).map(([type]) => type);
  expect(happened).toEqual(['registered', 'no_show']);
  const fired = [...fires].filter(([, subjects]) => [...subjects.values()].some(({ most }) => most > 0));
  expect(fired.map(([source]) => source)).toEqual(['registered', 'no_show']);
});

test('a mark is reached at its exact second, and each second counts once', () => {
  const actionLog = createActionLog();
  beat(actionLog, [[0, 59.4]]);
  beat(actionLog, [[20, 59.4]]);
  expect(eventsOf(actionLog, 'joined', 'left', 'no_show', 'watched_percent')).toEqual([
    exactly(1),
    exactly(1),
    never,
    never,
  ]);
  beat(actionLog, [[59.4, 59.6]]);
  expect(eventsOf(actionLog, 'watched_percent', 'watched_minutes')).toEqual([exactly(1), never]);
  expect(fireOf(actionLog, 'watched_percent-25')).toEqual({ '': exactly(1) });
  expect(fireOf(actionLog, 'watched_percent-50')).toEqual({ '': never });
});

test('two minutes are a hundred and twenty seconds', () => {
  const actionLog = createActionLog();
  beat(actionLog, [[0, 119.4]]);
  expect(eventsOf(actionLog, 'watched_minutes')).toEqual([never]);
  beat(actionLog, [[119.4, 119.6]]);
  expect(eventsOf(actionLog, 'watched_minutes')).toEqual([exactly(1)]);
});

test('an attendee with 95 percent has completed the video and reached all marks before', () => {
  const actionLog = createActionLog();
  beat(actionLog, [[0, 228]]);
  expect(eventsOf(actionLog, 'watched_minutes', 'watched_percent', 'video_complete')).toEqual([
    exactly(1),
    exactly(3),
    exactly(1),
  ]);
  const less = createActionLog();
  beat(less, [[0, 227.4]]);
  expect(eventsOf(less, 'video_complete')).toEqual([never]);
});

test('a heartbeat without an answer gives a range', () => {
  const actionLog = createActionLog();
  beat(actionLog, [[0, 50]]);
  beat(actionLog, [[50, 70]], false);
  expect(eventsOf(actionLog, 'watched_percent')).toEqual([atMost(1)]);
  expect(expectedOf(actionLog).watchedSeconds).toEqual({ least: 50, most: 70 });
});

test('every click is recorded, and the first one on each interaction fires', () => {
  const actionLog = createActionLog();
  noteClick(actionLog, 'offer', 'done');
  noteClick(actionLog, 'offer', 'done');
  noteClick(actionLog, 'cta', 'unknown');
  noteClick(actionLog, 'cta', 'refused');
  expect(eventsOf(actionLog, 'cta_click')).toEqual([{ least: 2, most: 3 }]);
  expect(fireOf(actionLog, 'cta_click')).toEqual({ o1: exactly(1), c1: atMost(1) });
});

test('every download is recorded, and the first one fires; it is no click on an offer or CTA', () => {
  const actionLog = createActionLog();
  noteClick(actionLog, 'handout', 'done');
  noteClick(actionLog, 'handout', 'unknown');
  expect(eventsOf(actionLog, 'handout_download', 'cta_click')).toEqual([{ least: 1, most: 2 }, never]);
  expect(fireOf(actionLog, 'handout_download')).toEqual({ h1: exactly(1) });
});

test('a repeated vote does not count', () => {
  const actionLog = createActionLog();
  noteVote(actionLog, 'soon', 'done');
  noteVote(actionLog, 'soon', 'done');
  expect(eventsOf(actionLog, 'poll_response')).toEqual([exactly(1)]);
  expect(fireOf(actionLog, 'poll_response')).toEqual({ 'p1:soon': exactly(1) });
});

test('messages with the keyword fire, each with its id', () => {
  const actionLog = createActionLog();
  noteMessage(actionLog, { text: 'Hello', id: 'm1' }, 'done');
  noteMessage(actionLog, { text: 'What is the PRICE?', id: 'm2' }, 'done');
  noteMessage(actionLog, { text: 'The price?', id: undefined }, 'unknown');
  noteMessage(actionLog, { text: 'The price!', id: undefined }, 'refused');
  expect(eventsOf(actionLog, 'chat_response')).toEqual([{ least: 2, most: 3 }]);
  expect(fireOf(actionLog, 'chat_response')).toEqual({ m2: exactly(1), [anySubject]: atMost(1) });
});

test('a purchase and a refund fire once each, a chargeback fires as a refund, and what takes it back does not', () => {
  const actionLog = createActionLog();
  actionLog.bought = {
    currency: 'EUR',
    facts: [
      { type: 'purchase', amountMinor: 500 },
      { type: 'refund', amountMinor: -200 },
      { type: 'chargeback', amountMinor: -500 },
      { type: 'chargeback_reversal', amountMinor: 500 },
    ],
  };
  expect(eventsOf(actionLog, 'purchase', 'refund')).toEqual([exactly(1), exactly(2)]);
  expect(fireOf(actionLog, 'purchase')).toEqual({ 'purchase 500 EUR': exactly(1) });
  expect(fireOf(actionLog, 'refund')).toEqual({
    'refund -200 EUR': exactly(1),
    'chargeback -500 EUR': exactly(1),
  });
});

test('without webhooks nothing fires, and there are no marks of watch time', () => {
  const actionLog = createActionLog();
  beat(actionLog, [[0, 240]]);
  const { events, fires } = expectedOf(actionLog, false);
  expect(fires.size).toBe(0);
  expect([events.get('watched_percent'), events.get('video_complete')]).toEqual([never, exactly(1)]);
});
