import { expect, test } from 'vitest';
import { allEventTypes, Trigger } from './event-types.ts';

const someId = '019aa1c9-7ac2-7b1f-8e60-5a1f3a7a5d02';

test('there is a trigger for every event type', () => {
  expect(Trigger.options.map((option) => option.shape.type.value)).toEqual([...allEventTypes]);
});

test.each([
  [{ type: 'registered' }, {}],
  [{ type: 'watched_minutes', params: { minutes: 10 } }, { minutes: 10 }],
  [{ type: 'cta_click' }, {}],
  [{ type: 'handout_download', params: { interactionId: someId } }, { interactionId: someId }],
  [{ type: 'poll_response' }, {}],
  [
    { type: 'poll_response', params: { interactionId: someId, optionId: 'b' } },
    { interactionId: someId, optionId: 'b' },
  ],
  [{ type: 'branch_taken', params: { branchId: someId } }, { branchId: someId }],
  [{ type: 'segment_completed', params: { segmentId: someId } }, { segmentId: someId }],
  [
    { type: 'chat_response', params: { keywords: [' price '] } },
    { keywords: ['price'], match: 'contains' },
  ],
  [
    { type: 'after_session', params: { offsetMinutes: 0 } },
    { offsetMinutes: 0, audience: 'all' },
  ],
  [
    {
      type: 'time_elapsed_after_event',
      params: { event: 'joined', delayMinutes: 60, unlessEvent: 'cta_click' },
    },
    { event: 'joined', delayMinutes: 60, unlessEvent: 'cta_click' },
  ],
])('%j is a trigger', (given, params) => {
  expect(Trigger.parse(given).params).toEqual(params);
});

test.each([
  [{ type: 'signed_up' }, 'type'],
  [{ type: 'registered', params: { minutes: 1 } }, 'params'],
  [{ type: 'watched_minutes' }, 'params'],
  [{ type: 'watched_percent', params: { percent: 101 } }, 'params.percent'],
  [{ type: 'before_session', params: { offsetMinutes: 0 } }, 'params.offsetMinutes'],
  [{ type: 'before_session', params: { offsetMinutes: 43_201 } }, 'params.offsetMinutes'],
  [{ type: 'after_session', params: { offsetMinutes: 1, audience: 'nobody' } }, 'params.audience'],
  [{ type: 'cta_click', params: { interactionId: 'x' } }, 'params.interactionId'],
  [{ type: 'poll_response', params: { optionId: 'b' } }, 'params.interactionId'],
  [{ type: 'branch_taken', params: { segmentId: someId } }, 'params'],
  [{ type: 'segment_completed', params: { segmentId: 'one' } }, 'params.segmentId'],
  [{ type: 'chat_response', params: { keywords: [] } }, 'params.keywords'],
  [{ type: 'chat_response', params: { keywords: ['a\0'] } }, 'params.keywords.0'],
  [
    { type: 'time_elapsed_after_event', params: { event: 'watched_percent', delayMinutes: 1 } },
    'params.event',
  ],
  [
    { type: 'time_elapsed_after_event', params: { event: 'joined', delayMinutes: 1, unlessEvent: 'joined' } },
    'params.unlessEvent',
  ],
])('%j is refused at %s', (given, path) => {
  const { error } = Trigger.safeParse(given);
  expect(error?.issues.map((issue) => issue.path.join('.'))).toEqual([path]);
});
