import { expect, test } from 'vitest';
import { isInAudience, type Audience } from './timer-candidate.ts';

const endedAt = new Date('2026-12-01T11:00:00Z');
const audiences: Audience[] = ['all', 'attended', 'no_show', 'completed', 'left_early'];

/** The audiences that an attendee belongs to. `seen` and `left` are seconds before the end. */
function audiencesOf({ joined = true, watchedSeconds = 600, completed = false, seen = 0, left = 0 }) {
  const attendance = { minSeconds: 300, completionPercent: 95, noShowGraceMinutes: 10 };
  const before = (seconds: number) => new Date(endedAt.getTime() - seconds * 1000);
  const attendee = {
    webinar: { attendance },
    facts: { joined, watchedSeconds, completed, watchedPercent: 0, clicks: {}, answers: {} },
    lastSeenAt: joined ? before(seen) : null,
    leftAt: left > 0 ? before(left) : null,
  };
  return audiences.filter((audience) => isInAudience(attendee, audience, endedAt));
}

test('an attendee with the minimum watch time has attended, any other is a no-show', () => {
  expect(audiencesOf({ watchedSeconds: 300 })).toEqual(['all', 'attended']);
  expect(audiencesOf({ watchedSeconds: 299 })).toEqual(['all', 'no_show']);
  expect(audiencesOf({ joined: false, watchedSeconds: 0 })).toEqual(['all', 'no_show']);
});

test('an attendee who completed the video has not left early', () => {
  expect(audiencesOf({ completed: true, seen: 900, left: 900 })).toEqual(['all', 'attended', 'completed']);
});

test('an attendee last seen more than ninety seconds before the end has left early', () => {
  expect(audiencesOf({ seen: 91 })).toEqual(['all', 'attended', 'left_early']);
  expect(audiencesOf({ seen: 90 })).toEqual(['all', 'attended']);
  expect(audiencesOf({ seen: 600, left: 595 })).toEqual(['all', 'attended', 'left_early']);
});

test('an attendee who closed the page in the last ninety seconds, or came back, has not left early', () => {
  expect(audiencesOf({ seen: 95, left: 85 })).toEqual(['all', 'attended']);
  expect(audiencesOf({ seen: 10, left: 900 })).toEqual(['all', 'attended']);
});

test('a no-show has not left early', () => {
  expect(audiencesOf({ watchedSeconds: 10, seen: 900 })).toEqual(['all', 'no_show']);
});
