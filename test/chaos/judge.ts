// Compares API answers, tables and the receiver's receipts. Pure, so that a test can see each rule fail.
import { check, type Check } from './drill.ts';
import type { DeliveryRecord, RegistrationRecord } from './records.ts';
import type { Receipt } from '../support/receiver-process.ts';
import type { Answer } from './traffic.ts';

/** Every acknowledged registration exists with its event and deliveries; others exist in whole or not at all. */
export function judgeEvents(
  registrations: readonly RegistrationRecord[],
  answers: readonly Answer[],
): Check[] {
  const byEmail = new Map(registrations.map((registration) => [registration.email, registration]));
  const acknowledged = answers.filter((answer) => answer.acknowledged).flatMap(({ emails }) => emails);
  const lost = acknowledged.filter((email) => !byEmail.has(email));
  const torn = answers.filter(({ emails }) => {
    const there = emails.filter((email) => byEmail.has(email)).length;
    return there > 0 && there < emails.length;
  });
  const half = registrations.filter(({ events, deliveries, rules }) => events !== 1 || deliveries !== rules);
  return [
    check(
      'something was acknowledged, and all of it is there',
      acknowledged.length > 0 && lost.length === 0,
      `${lost.length} of ${acknowledged.length} lost`,
    ),
    check('every request was carried out in whole or not at all', torn.length === 0, torn.length),
    check(
      'every registration has its event and its deliveries',
      half.length === 0,
      `${half.length} have not`,
    ),
  ];
}

/** Every ended delivery was received or has a recorded failure, and every receipt has a recorded delivery. */
export function judgeDeliveries(
  deliveries: readonly DeliveryRecord[],
  receipts: readonly Receipt[],
): Check[] {
  const received = new Set(receipts.map(({ id }) => id));
  const known = new Set(deliveries.map(({ id }) => id));
  const ended = deliveries.filter(({ status }) => status !== 'waiting');
  const missing = ended.filter(({ id, status }) => status === 'success' && !received.has(id));
  const unexplained = ended.filter(({ status, attempts, successes }) => {
    if (status === 'success') return successes !== 1;
    return status !== 'failure' || attempts === 0 || successes > 0;
  });
  const misnumbered = deliveries.filter(({ numbered }) => !numbered);
  const unknown = receipts.filter(({ id }) => !known.has(id));
  return [
    check('every success was received', missing.length === 0, `${missing.length} were not`),
    check(
      'every end is on record: one success, or failures only',
      unexplained.length === 0,
      `${unexplained.length} are not`,
    ),
    check('attempts are numbered without gaps', misnumbered.length === 0, `${misnumbered.length} are not`),
    check('nothing was received that is not on record', unknown.length === 0, unknown.length),
  ];
}

/** For receivers that take every delivery at the latest at its second attempt. */
export function judgeFailures(deliveries: readonly DeliveryRecord[]): Check {
  const failed = deliveries.filter(({ status }) => status === 'failure');
  return check(
    'no delivery ends as a failure',
    failed.length === 0,
    `${failed.length} of ${deliveries.length}`,
  );
}

/** The longest that a request may take while processes are replaced. */
const answeredMaxMs = 10_000;

/** Every event was sent in time, and answered in time as done. */
export function judgeAnswers(answers: readonly Answer[], notSent: number): Check {
  const refused = answers.filter(({ acknowledged }) => !acknowledged);
  const slowest = answers.toSorted((a, b) => b.durationMs - a.durationMs)[0];
  const slowestMs = slowest?.durationMs ?? 0;
  const firstAt = Math.min(...answers.map(({ at }) => at));
  return check(
    `every registration is sent, and acknowledged within ${seconds(answeredMaxMs)}`,
    answers.length > 0 && refused.length === 0 && notSent === 0 && slowestMs <= answeredMaxMs,
    [
      `the slowest of ${answers.length} calls took ${seconds(slowestMs)}, ${seconds((slowest?.at ?? firstAt) - firstAt)} after the first`,
      ...(notSent === 0 ? [] : [`${notSent} not sent in time`]),
      ...(refused.length === 0 ? [] : [`not acknowledged: ${countStatuses(refused)}`]),
    ].join(', '),
  );
}

/** Refused calls by status, as `12 times 503`. */
export function countStatuses(answers: readonly Answer[]): string {
  const byStatus = Map.groupBy(answers, ({ status = 'none' }) => status);
  return [...byStatus].map(([status, own]) => `${own.length} times ${status}`).join(', ');
}

/** A time in which results could not be recorded: a kill, or an outage of the database. Milliseconds of this machine's clock. */
export interface Interruption {
  from: number;
  to: number;
}

/** A moment at which a process was killed. */
export const killAt = (at: number): Interruption => ({ from: at, to: at });

/** The longest that a result waits for its write-back under the load of a drill. */
const writeBackMaxMs = 1000;

export interface Duplicates {
  /** Requests beyond the attempts on record. */
  count: number;
  /** Those of deliveries that were not in flight at an interruption. */
  unexplained: number;
}

/**
 * Requests of deliveries that succeeded, beyond the attempts on record. An interruption explains one for each delivery whose
 * request was open, or answered and not yet recorded, at that time.
 */
export function countDuplicates(
  deliveries: readonly DeliveryRecord[],
  receipts: readonly Receipt[],
  interruptions: readonly Interruption[],
): Duplicates {
  const receiptsById = Map.groupBy(receipts, ({ id }) => id);
  const duplicates = { count: 0, unexplained: 0 };
  for (const { id, attempts, successes } of deliveries) {
    const own = receiptsById.get(id) ?? [];
    const extra = own.length - attempts;
    if (successes === 0 || extra <= 0) continue;
    const explained = interruptions.filter((one) => own.some((receipt) => isInFlight(receipt, one))).length;
    duplicates.count += extra;
    duplicates.unexplained += Math.max(0, extra - explained);
  }
  return duplicates;
}

const isInFlight = ({ at, endedAt = Infinity }: Receipt, { from, to }: Interruption): boolean =>
  at <= to && endedAt + writeBackMaxMs >= from;

/** Milliseconds from the commit (as the API dates it) to the first request, of each delivery that had one; sorted. */
export function firstWaits(deliveries: readonly DeliveryRecord[], receipts: readonly Receipt[]): number[] {
  const firstById = new Map<string, number>();
  for (const { id, at } of receipts) if (!firstById.has(id)) firstById.set(id, at);
  const waits = deliveries.flatMap(({ id, createdAt }) => {
    const first = firstById.get(id);
    return first === undefined ? [] : [first - createdAt];
  });
  return waits.toSorted((a, b) => a - b);
}

export const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;
