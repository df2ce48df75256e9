import { expect, test } from 'vitest';
import { decideNext, type Next, type WaitingMail } from './decide-next.ts';
import type { Later, SendOutcome } from '@service/mail-senders';

const now = new Date('2026-12-01T12:00:00Z');
const after = (seconds: number): Date => new Date(now.getTime() + seconds * 1000);
const mail: WaitingMail = {
  isConfirmation: false,
  attempts: 0,
  expiresAt: after(72 * 3600),
  uncertainAt: null,
};
const hour = 3_600_000;

const next = (
  outcome: SendOutcome,
  changes: Partial<WaitingMail> = {},
  { idempotencyMs, random = 0.5 }: { idempotencyMs?: number; random?: number } = {},
): Next => decideNext({ ...mail, ...changes }, outcome, { now, idempotencyMs, random });

const later = (fields: Partial<Later> = {}): SendOutcome => ({
  kind: 'later',
  reason: 'busy',
  retryAfterMs: undefined,
  restsLane: false,
  ...fields,
});
const uncertain: SendOutcome = { kind: 'uncertain', reason: 'lost' };

/** Seconds until the next try, or the status at the end. */
const inSeconds = (decided: Next): number | string =>
  decided.kind === 'again' ? (decided.dueAt.getTime() - now.getTime()) / 1000 : decided.status;

test('final outcomes end a mail', () => {
  expect(next({ kind: 'sent', providerMessageId: 'a' })).toEqual({
    kind: 'ended',
    status: 'sent',
    reason: null,
  });
  expect(next({ kind: 'recipient_refused', reason: 'no such user' })).toMatchObject({ status: 'bounced' });
  expect(next({ kind: 'mail_refused', reason: 'domain' })).toMatchObject({
    status: 'failed',
    reason: 'domain',
  });
});

test('waits grow from 5 seconds to an hour, and last until the mail expires', () => {
  const waits = [0, 1, 2, 3, 4, 5, 40].map((attempts) => inSeconds(next(later(), { attempts })));
  expect(waits).toEqual([5, 30, 120, 600, 3600, 3600, 3600]);
  expect(next(later(), { attempts: 5, expiresAt: after(3600) })).toMatchObject({
    status: 'too_late',
    reason: 'busy',
  });
});

test('waits differ by a fifth', () => {
  expect(inSeconds(next(later(), { attempts: 2 }, { random: 0 }))).toBe(96);
  expect(inSeconds(next(later(), { attempts: 2 }, { random: 1 }))).toBe(144);
});

test('a wait that the provider asks for is kept, up to an hour', () => {
  expect(inSeconds(next(later({ retryAfterMs: 90_000 })))).toBe(90);
  expect(inSeconds(next(later({ retryAfterMs: 1000 })))).toBe(5);
  expect(inSeconds(next(later({ retryAfterMs: 10 * hour })))).toBe(3600);
});

test('a limit of the provider rests the lane and is no try', () => {
  const rested = next(later({ restsLane: true, retryAfterMs: 60_000 }), { attempts: 3 });
  expect(rested).toMatchObject({ attempts: 3, dueAt: after(60), laneRestsUntil: after(60) });
  expect(next(later(), { attempts: 3 })).toMatchObject({ attempts: 4, laneRestsUntil: null });
});

test('a refused credential is no try of the mail', () => {
  const refused: SendOutcome = { kind: 'credential_refused', reason: '535' };
  expect(next(refused, { attempts: 2 })).toMatchObject({ kind: 'again', attempts: 2, dueAt: after(60) });
});

test('after a lost answer a mail is repeated as long as the provider recognizes it', () => {
  const lost = later({ mayHaveArrived: true });
  const options = { idempotencyMs: hour };
  expect(next(lost, {}, options)).toMatchObject({ dueAt: after(5), uncertainAt: now, attempts: 1 });
  expect(inSeconds(next(lost, { attempts: 4 }, { idempotencyMs: hour / 2 }))).toBe(600);
  const uncertainAt = after(-3590);
  expect(inSeconds(next(lost, { uncertainAt }, options))).toBe(5);
  expect(inSeconds(next(lost, { uncertainAt, attempts: 1 }, options))).toBe('uncertain');
  expect(inSeconds(next(later(), { uncertainAt, attempts: 1 }, options))).toBe('uncertain');
  expect(inSeconds(next(later(), { attempts: 1 }, options))).toBe(30);
});

test('a provider that recognizes nothing gets only a confirmation again, once and after ten minutes', () => {
  expect(inSeconds(next(uncertain))).toBe('uncertain');
  expect(next(uncertain, { isConfirmation: true })).toMatchObject({ dueAt: after(600), uncertainAt: now });
  expect(inSeconds(next(uncertain, { isConfirmation: true, uncertainAt: after(-600) }))).toBe('uncertain');
});

test('a mail whose answer was lost ends as uncertain and never as too late', () => {
  expect(inSeconds(next(later(), { uncertainAt: after(-600), expiresAt: after(1) }))).toBe('uncertain');
  expect(inSeconds(next(uncertain, { isConfirmation: true, expiresAt: after(60) }))).toBe('uncertain');
});
