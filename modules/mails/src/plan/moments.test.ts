import { expect, test } from 'vitest';
import { defaultSettings } from '../content/webinar-mails.ts';
import { nextStep, type Step } from './moments.ts';

const session = {
  kind: 'scheduled',
  status: 'scheduled',
  startsAt: new Date('2026-12-02T12:00:00Z'),
  endsAt: new Date('2026-12-02T13:00:00Z'),
  actualEndedAt: null,
} as const;
const ended = { ...session, status: 'ended', actualEndedAt: new Date('2026-12-02T12:50:00Z') } as const;
const settings = defaultSettings(true);

/** `queue 1440`, `wait 2026-12-02T11:00`. */
function step(
  dueBy: string,
  {
    of = session,
    doneUntil,
    by = settings,
  }: { of?: Parameters<typeof nextStep>[0]; doneUntil?: string; by?: typeof settings } = {},
): string {
  const next: Step = nextStep(of, by, {
    dueBy: new Date(dueBy),
    doneUntil: doneUntil === undefined ? null : new Date(doneUntil),
  });
  if (next.kind === 'done') return 'done';
  if (next.kind === 'queue')
    return `queue ${next.moment.kind === 'reminder' ? next.moment.minutes : next.moment.kind}`;
  return `${next.kind} ${next.until.toISOString().slice(0, 16)}`;
}

test('reminders are due a day, an hour and no time before the start', () => {
  expect(step('2026-11-30T00:00Z')).toBe('wait 2026-12-01T12:00');
  expect(step('2026-12-01T12:00Z')).toBe('queue 1440');
  expect(step('2026-12-01T12:00Z', { doneUntil: '2026-12-01T12:00Z' })).toBe('wait 2026-12-02T11:00');
  expect(step('2026-12-02T11:00Z', { doneUntil: '2026-12-01T12:00Z' })).toBe('queue 60');
  expect(step('2026-12-02T12:00Z', { doneUntil: '2026-12-02T11:00Z' })).toBe('queue 0');
});

test('a reminder that is of no use any more is left out', () => {
  expect(step('2026-12-02T12:10Z', { doneUntil: '2026-12-01T12:00Z' })).toBe('skip 2026-12-02T11:00');
  expect(step('2026-12-02T12:29Z', { doneUntil: '2026-12-02T11:00Z' })).toBe('queue 0');
});

test('after the start a plan waits for the end, and ends with the mails after the session', () => {
  const doneUntil = '2026-12-02T12:00Z';
  expect(step('2026-12-02T12:01Z', { doneUntil })).toBe('wait 2026-12-02T13:15');
  expect(step('2026-12-02T13:15Z', { doneUntil })).toBe('wait 2026-12-02T14:15');
  expect(step('2026-12-02T12:51Z', { of: ended, doneUntil })).toBe('wait 2026-12-02T13:05');
  expect(step('2026-12-02T13:05Z', { of: ended, doneUntil })).toBe('queue after_session');
  expect(step('2026-12-02T13:06Z', { of: ended, doneUntil: '2026-12-02T13:05Z' })).toBe('done');
});

test('a session that was moved to a later time gets the reminders that it has not had', () => {
  const of = { ...session, startsAt: new Date('2026-12-04T12:00Z'), endsAt: new Date('2026-12-04T13:00Z') };
  expect(step('2026-12-02T11:30Z', { of, doneUntil: '2026-12-02T11:00Z' })).toBe('wait 2026-12-03T12:00');
});

test('on-demand sessions have no reminders, cancelled ones and switched-off webinars no mails', () => {
  expect(step('2026-12-01T12:00Z', { of: { ...session, kind: 'on_demand' } })).toBe('wait 2026-12-02T13:15');
  expect(step('2026-12-01T12:00Z', { of: { ...session, status: 'cancelled' } })).toBe('done');
  expect(step('2026-12-01T12:00Z', { by: defaultSettings(false) })).toBe('wait 2026-12-02T13:15');
  expect(step('2026-12-02T13:30Z', { of: ended, by: defaultSettings(false) })).toBe('done');
});
