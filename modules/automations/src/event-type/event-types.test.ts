import { createEvaluation } from '@service/conditions/budget';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { defineEventType, type EventTypeRecord } from './define-event-type.ts';
import { allEventTypes, eventTypes, timerEventTypes, Trigger, type EventType } from './event-types.ts';

// The tables "event_data by trigger" of the specification and of the triggers that it leaves open, and `join_url`, which it does not name.
const watched = ['watchedSeconds', 'completionPercent'];
const specified: Record<EventType, string[]> = {
  registered: ['join_url'],
  joined: [],
  left: ['leftAt', 'reason', 'positionSeconds', ...watched],
  no_show: ['detectedAt', 'sessionStartedAt'],
  watched_minutes: [...watched, 'in_transition'],
  watched_percent: [...watched, 'in_transition'],
  video_complete: watched,
  cta_click: ['interactionId', 'offerId', 'interaction'],
  handout_download: ['interactionId', 'interaction'],
  poll_response: ['interactionId', 'optionId', 'selectedOption', 'interaction'],
  chat_response: ['message', 'sent_at', 'message_event_id'],
  branch_taken: ['branch_id', 'segment_id'],
  segment_completed: ['segment_id', 'watch_duration_seconds'],
  purchase: ['revenueEventId', 'type', 'amountMinor', 'currency', 'offerId', 'level'],
  refund: ['revenueEventId', 'type', 'amountMinor', 'currency', 'offerId', 'level'],
  before_session: ['sessionStartsAt', 'minutesBefore'],
  after_session: ['sessionStartedAt', 'sessionEndedAt', 'minutesAfter', 'attended', ...watched],
  time_elapsed_after_event: ['sourceEvent', 'sourceEventAt', 'elapsedMinutes'],
};

test('event_data and its sample have the fields of the specification in its order', () => {
  const described = Object.entries(eventTypes).map(([type, { data }]) => [type, Object.keys(data.shape)]);
  expect(described).toEqual(Object.entries(specified));
  const { interaction } = eventTypes.cta_click.data.shape;
  expect(Object.keys(interaction.unwrap().shape)).toEqual(['id', 'headline', 'internal_name']);
  for (const type of allEventTypes) {
    const shown = Object.keys(eventTypes[type].sample);
    expect(shown, type).toEqual(specified[type].filter((field) => shown.includes(field)));
  }
});

const [mine, other] = ['019aa1c9-7ac2-7b1f-8e60-5a1f3a7a5d02', '019aa1c9-7ac2-7b1f-8e60-5a1f3a7a5dff'];

interface Case {
  params: Record<string, unknown>;
  /** An event that the param lets through, and one that differs only in the value that the param compares. */
  meant: { data?: Record<string, unknown>; mark?: number };
  otherwise: Case['meant'];
}

const ofId = (param: string, field: string): Case => ({
  params: { [param]: mine.toUpperCase() },
  meant: { data: { [field]: mine } },
  otherwise: { data: { [field]: other } },
});

const ofKeyword = (match: string, meant: string, otherwise: string): Case => ({
  params: { keywords: ['never', 'price'], match },
  meant: { data: { message: meant } },
  otherwise: { data: { message: otherwise } },
});

const cases: Partial<Record<EventType, Record<string, Case>>> = {
  watched_minutes: { minutes: { params: { minutes: 5 }, meant: { mark: 5 }, otherwise: { mark: 10 } } },
  watched_percent: { percent: { params: { percent: 50 }, meant: { mark: 50 }, otherwise: { mark: 5 } } },
  cta_click: { interactionId: ofId('interactionId', 'interactionId') },
  handout_download: { interactionId: ofId('interactionId', 'interactionId') },
  poll_response: {
    interactionId: ofId('interactionId', 'interactionId'),
    optionId: {
      params: { interactionId: mine, optionId: 'b' },
      meant: { data: { interactionId: mine, optionId: 'b' } },
      otherwise: { data: { interactionId: mine, optionId: 'a' } },
    },
  },
  chat_response: {
    keywords: ofKeyword('contains', 'The PRICE?', 'Hello'),
    match: ofKeyword('equals', ' Price ', 'The price?'),
  },
  branch_taken: { branchId: ofId('branchId', 'branch_id') },
  segment_completed: { segmentId: ofId('segmentId', 'segment_id') },
  purchase: { interactionId: ofId('interactionId', 'offerId') },
  refund: { interactionId: ofId('interactionId', 'offerId') },
};

const attendeeEvents = allEventTypes.filter((type) => !(timerEventTypes as string[]).includes(type));

test.each(attendeeEvents)('every param of a trigger on %s lets only its own events through', (type) => {
  const ofType = cases[type] ?? {};
  // Each param of the schema has a case here, and each control of the rule form a param.
  const trigger = Trigger.options.find((option) => option.shape.type.value === type)!;
  expect(Object.keys(ofType)).toEqual(namesOf(trigger.shape.params));
  expect(Object.keys(eventTypes[type].controls)).toEqual(Object.keys(ofType));
  for (const [name, { params, meant, otherwise }] of Object.entries(ofType)) {
    const parsed = Trigger.parse({ type, params });
    const matches = (event: Case['meant']) =>
      eventTypes[type].matches(parsed.params, { data: {}, ...event }, createEvaluation().budgetOf('event'));
    expect([matches(meant), matches(otherwise), matches({})], name).toEqual([true, false, false]);
  }
});

/** The names of the params of a trigger, read from their JSON Schema. */
function namesOf(params: (typeof eventTypes)[EventType]['params']): string[] {
  const { properties = {} } = params.toJSONSchema({ io: 'input', metadata: z.registry() });
  return Object.keys(properties);
}

test('the sentence of a trigger has each of its params, and no others', () => {
  for (const type of allEventTypes) {
    const { sentence, controls } = eventTypes[type];
    const named = [...sentence.matchAll(/\{(\w+)/g)].map(([, name]) => name);
    expect(new Set(named), type).toEqual(new Set(Object.keys(controls)));
  }
});

test('without params a trigger lets every event of its type through', () => {
  for (const type of attendeeEvents.filter((one) => Trigger.safeParse({ type: one }).success)) {
    const { params } = Trigger.parse({ type });
    const budget = createEvaluation().budgetOf('event');
    expect(eventTypes[type].matches(params, { data: {} }, budget), type).toBe(true);
  }
});

test.each([
  ['contains', 'rice', 'The  PRICE?', true],
  ['contains', 'the price', 'The  PRICE?', true],
  ['contains', 'cost', 'The price?', false],
  ['contains_word', 'price', 'The PRICE?', true],
  ['contains_word', 'rice', 'The price?', false],
  ['contains_word', 'straße', 'STRASSE 5', true],
  ['equals', 'yes', ' YES ', true],
  ['equals', 'yes', 'yes!', false],
  ['starts_with', 'ｙｅｓ', 'Yes, please', true],
  ['starts_with', 'please', 'Yes, please', false],
] as const)('a message %s the keyword %s: %s gives %s', (match, keyword, message, expected) => {
  const { params } = Trigger.parse({
    type: 'chat_response',
    params: { keywords: ['never', keyword], match },
  });
  const budget = createEvaluation().budgetOf('event');
  expect(eventTypes.chat_response.matches(params, { data: { message } }, budget)).toBe(expected);
});

test('with keywords an event without a message does not match', () => {
  const { params } = Trigger.parse({ type: 'chat_response', params: { keywords: ['undefined'] } });
  const budget = createEvaluation().budgetOf('event');
  expect(eventTypes.chat_response.matches(params, { data: {} }, budget)).toBe(false);
});

test('a rule fires once for each interaction, option, branch, segment and revenue event, and for each message if it says so', () => {
  const data = {
    interactionId: 'i',
    optionId: 'o',
    message_event_id: 'm',
    branch_id: 'b',
    segment_id: 's',
    revenueEventId: 'r',
  };
  const subjects = (isEveryMatch: boolean) =>
    Object.fromEntries(
      allEventTypes
        .map((type) => [type, eventTypes[type].subject({ id: 'e', data, isEveryMatch })])
        .filter(([, subject]) => subject !== ''),
    );
  const once = {
    cta_click: 'i',
    handout_download: 'i',
    poll_response: 'i:o',
    branch_taken: 'b',
    segment_completed: 's',
    purchase: 'r',
    refund: 'r',
  };
  expect(subjects(false)).toEqual(once);
  expect(subjects(true)).toEqual({ ...once, chat_response: 'm' });
  const named = allEventTypes.filter((type) => (eventTypes[type] as EventTypeRecord).firesPer);
  expect(named.toSorted()).toEqual(Object.keys(once).toSorted());
});

test('an event type whose param has no comparison or no control does not compile', () => {
  const planted = {
    title: 'Planted',
    group: 'Watching' as const,
    when: 'Something happens',
    sentence: 'something happens',
    description: 'Something happens.',
    data: z.looseObject({}),
    sample: {},
    params: z.strictObject({ minutes: z.int() }),
    subject: () => '',
  };
  const minutes = { label: 'Minutes', control: 'number' } as const;
  const uncompared = defineEventType({
    ...planted,
    type: 'planted_without_comparison',
    controls: { minutes },
    // @ts-expect-error -- `minutes` is missing.
    matches: {},
  });
  const hidden = defineEventType({
    ...planted,
    type: 'planted_without_control',
    // @ts-expect-error -- `minutes` is missing.
    controls: {},
    matches: { minutes: (wanted, { event }) => wanted === event.mark },
  });
  // Only the compiler notices: the first one lets every event through, and the second one would have no field in the form.
  const budget = createEvaluation().budgetOf('event');
  const matches = [uncompared, hidden].map((one) =>
    one.matches({ minutes: 5 }, { data: {}, mark: 10 }, budget),
  );
  expect(matches).toEqual([true, false]);
});
