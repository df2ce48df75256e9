import { expect, test } from 'vitest';
import { eventDefinitions } from './event-definitions.ts';

// The tables "event_data by trigger" of the specification and of the triggers that it leaves open.
const watched = ['watchedSeconds', 'completionPercent'];
const specified = {
  registered: [],
  joined: [],
  left: ['leftAt', 'reason', 'positionSeconds', ...watched],
  no_show: ['detectedAt', 'sessionStartedAt'],
  watched_minutes: [...watched, 'in_transition'],
  watched_percent: [...watched, 'in_transition'],
  video_complete: watched,
  cta_click: ['interactionId', 'offerId', 'interaction'],
  poll_response: ['interactionId', 'optionId', 'selectedOption', 'interaction'],
  chat_response: ['message', 'sent_at', 'message_event_id'],
  branch_taken: ['branch_id', 'segment_id'],
  segment_completed: ['segment_id', 'watch_duration_seconds'],
  before_session: ['sessionStartsAt', 'minutesBefore'],
  after_session: ['sessionStartedAt', 'sessionEndedAt', 'minutesAfter', 'attended', ...watched],
  time_elapsed_after_event: ['sourceEvent', 'sourceEventAt', 'elapsedMinutes'],
};

test('event_data and its sample have the fields of the specification in its order', () => {
  const described = Object.entries(eventDefinitions).map(([type, { data }]) => [
    type,
    Object.keys(data.shape),
  ]);
  expect(Object.fromEntries(described)).toEqual(specified);
  const { interaction } = eventDefinitions.cta_click.data.shape;
  expect(Object.keys(interaction.unwrap().shape)).toEqual(['id', 'headline', 'internal_name']);
  for (const [type, fields] of Object.entries(specified)) {
    const { sampleData } = eventDefinitions[type as keyof typeof specified];
    const shown = Object.keys(sampleData);
    expect(shown, type).toEqual(fields.filter((field) => shown.includes(field)));
  }
});
