import { expect, test } from 'vitest';
import {
  afterObservation,
  afterNotification,
  newHealth,
  type Health,
  type Observation,
} from './connection-state.ts';

const start = Date.parse('2026-12-01T12:00:00Z');
const minutes = (count: number): Date => new Date(start + count * 60_000);
const hours = (count: number): Date => minutes(60 * count);

const worked: Observation = { kind: 'worked' };
const later: Observation = { kind: 'later', reason: '421 Try again' };
const refused: Observation = { kind: 'refused', reason: 'API key is invalid' };
const unsuitable: Observation = { kind: 'unsuitable', reason: 'The domain is not verified' };

type Step = readonly [at: Date, what: Observation | 'notified'];

const play = (...steps: readonly Step[]): Health =>
  steps.reduce(
    (health, [at, what]) =>
      what === 'notified' ? afterNotification(health, at) : afterObservation(health, what, at),
    newHealth(minutes(0)),
  );

/** A failure a second from this minute on. */
const laters = (count: number, from = 0): Step[] =>
  Array.from({ length: count }, (_unused, index) => [minutes(from + index / 60), later]);

type Row = [title: string, health: Health, expected: Partial<Health>];

test.each<Row>([
  ['four failures in a row change nothing', play(...laters(4)), { state: 'connected', laters: 4 }],
  [
    'the fifth failure in a row makes it failing, with the provider’s words',
    play(...laters(5)),
    { state: 'failing', reason: '421 Try again', since: minutes(4 / 60) },
  ],
  [
    'a success ends the row of failures',
    play(...laters(4), [minutes(1), worked], ...laters(4, 2)),
    { state: 'connected', laters: 4 },
  ],
  [
    'a second failure ten minutes after the first makes it failing',
    play([minutes(0), later], [minutes(10), later]),
    { state: 'failing', since: minutes(10) },
  ],
  [
    'a second failure a little earlier does not',
    play([minutes(0), later], [minutes(9.9), later]),
    { state: 'connected' },
  ],
  [
    'a proved refusal disconnects at once, and people are notified at once',
    play([minutes(1), refused]),
    { state: 'disconnected', reason: 'API key is invalid', since: minutes(1), notifyAt: minutes(1) },
  ],
  [
    'failures and refused mails do not hide that the credential is refused',
    play([minutes(1), refused], ...laters(20, 2), [minutes(3), unsuitable]),
    { state: 'disconnected', reason: 'API key is invalid' },
  ],
  [
    'a refusal disconnects a failing connection and replaces its notice',
    play(...laters(5), [minutes(5), refused]),
    { state: 'disconnected', notifyAt: minutes(5), notifications: 0 },
  ],
  [
    'a refused mail asks for attention, and the failures before it are forgotten',
    play(...laters(3), [minutes(1), unsuitable]),
    { state: 'attention', reason: 'The domain is not verified', laters: 0, notifyAt: minutes(1) },
  ],
  [
    'the first success closes the notice',
    play([minutes(1), refused], [minutes(2), worked]),
    { state: 'connected', reason: null, since: minutes(2), notifyAt: null, notifications: 0 },
  ],
  [
    'a success of a connected connection keeps the time since which it is connected',
    play([minutes(3), worked]),
    { state: 'connected', since: minutes(0) },
  ],
  [
    'failing is announced once, after half an hour',
    play(...laters(5)),
    { notifyAt: new Date(minutes(4 / 60).getTime() + 30 * 60_000) },
  ],
  [
    'failing is not announced again',
    play(...laters(5), [minutes(31), 'notified'], ...laters(5, 40)),
    { notifyAt: null },
  ],
  [
    'disconnected is announced again after a day',
    play([minutes(1), refused], [minutes(2), 'notified']),
    { notifyAt: new Date(hours(24).getTime() + 60_000), notifications: 1 },
  ],
  [
    'disconnected is announced a third time after a week',
    play([minutes(0), refused], [minutes(0), 'notified'], [hours(24), 'notified']),
    { notifyAt: hours(7 * 24), notifications: 2 },
  ],
  [
    'disconnected is not announced a fourth time',
    play([minutes(0), refused], [minutes(0), 'notified'], [hours(24), 'notified'], [hours(168), 'notified']),
    { notifyAt: null, notifications: 3 },
  ],
  [
    'a further refusal does not start the notice again',
    play([minutes(0), refused], [minutes(0), 'notified'], [hours(1), refused]),
    { notifyAt: hours(24), notifications: 1, since: minutes(0) },
  ],
  [
    'attention is announced again for a new refusal, a day after the last time',
    play([minutes(0), unsuitable], [minutes(1), 'notified'], [hours(2), unsuitable]),
    { state: 'attention', notifyAt: new Date(hours(24).getTime() + 60_000) },
  ],
  [
    'attention is not announced again without one',
    play([minutes(0), unsuitable], [minutes(1), 'notified']),
    { notifyAt: null },
  ],
  [
    'a success does not end attention whose notice is due',
    play([minutes(0), unsuitable], [minutes(0.5), worked]),
    { state: 'attention', notifyAt: minutes(0) },
  ],
  [
    'a success after the notice ends attention',
    play([minutes(0), unsuitable], [minutes(1), 'notified'], [minutes(2), worked]),
    { state: 'connected', notifyAt: null },
  ],
  [
    'a verification ends attention at once',
    play([minutes(0), unsuitable], [minutes(0.5), { kind: 'worked', isVerified: true }]),
    { state: 'connected', notifyAt: null },
  ],
  [
    'attention that comes and goes is announced once a day',
    play([minutes(0), unsuitable], [minutes(0), 'notified'], [hours(1), worked], [hours(2), unsuitable]),
    { state: 'attention', notifyAt: hours(24) },
  ],
  [
    'a credential whose refusal comes and goes is announced once an hour at most',
    play([minutes(0), refused], [minutes(0), 'notified'], [minutes(5), worked], [minutes(6), refused]),
    { state: 'disconnected', notifyAt: hours(1) },
  ],
])('%s', (_title, health, expected) => expect(health).toMatchObject(expected));
