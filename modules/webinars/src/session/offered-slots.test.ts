import { expect, test } from 'vitest';
import { previewSlots } from './offered-slots.ts';
import { PreviewSlotsInput } from './schemas.ts';

const now = new Date('2026-12-01T12:00:30Z');

const preview = (schedule: object, timezone = 'Europe/Berlin') =>
  previewSlots(PreviewSlotsInput.parse({ schedule, timezone, durationSeconds: 3600 }), now).map(
    ({ kind, startsAt, endsAt }) => `${kind} ${startsAt.toISOString()} ${endsAt.toISOString()}`,
  );

test('twenty starts of a recurrence are shown, in the zone of the webinar and without blackout dates', () => {
  const slots = preview({
    recurrences: [{ frequency: 'daily', startDate: '2026-12-01', time: '18:00' }],
    blackoutDates: ['2026-12-02'],
  });
  expect(slots).toHaveLength(20);
  expect(slots.slice(0, 2)).toEqual([
    'scheduled 2026-12-01T17:00:00.000Z 2026-12-01T18:00:00.000Z',
    'scheduled 2026-12-03T17:00:00.000Z 2026-12-03T18:00:00.000Z',
  ]);
});

test('just-in-time and on-demand starts are shown beside the recurrences, soonest first', () => {
  const slots = preview({
    recurrences: [{ frequency: 'once', startDate: '2026-12-01', time: '13:30' }],
    justInTime: { intervalMinutes: 15 },
    onDemand: true,
    slotsShown: 2,
  });
  expect(slots.map((slot) => slot.split(' ').slice(0, 2).join(' '))).toEqual([
    'on_demand 2026-12-01T12:00:00.000Z',
    'just_in_time 2026-12-01T12:15:00.000Z',
    // A recurrence with the same start takes the place of the just-in-time session.
    'scheduled 2026-12-01T12:30:00.000Z',
  ]);
});

test('a schedule without starts has none', () => {
  expect(preview({})).toEqual([]);
});

test('fifty recurrences on the last day of each month have one start a month', () => {
  const recurrences = Array.from({ length: 50 }, (_unused, index) => ({
    frequency: 'monthly',
    dayOfMonth: 31,
    startDate: `2026-12-${String((index % 28) + 1).padStart(2, '0')}`,
    endDate: '2099-12-31',
    time: '23:59',
  }));
  expect(new Set(preview({ recurrences }).map((slot) => slot.slice(10, 17))).size).toBe(20);
});
