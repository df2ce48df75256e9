// What must hold between API answers, tables and what the receiver got. Pure, so that each rule can be seen to fail.
import { check, type Check } from './drill.ts';
import type { DeliveryRecord, RegistrationRecord } from './records.ts';
import type { Receipt } from './receiver.ts';
import type { Answer } from './traffic.ts';

/** Every acknowledged registration is there, with all that belongs to it; what was not acknowledged, whole or not at all. */
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
    check('no request was done by half', torn.length === 0, torn.length),
    check(
      'every registration has its event and its deliveries',
      half.length === 0,
      `${half.length} have not`,
    ),
  ];
}

/** What has ended was received, or shows that and why it was not; what was received is on record. */
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

/** Requests of deliveries that succeeded, beyond the attempts on record. */
export function countExtra(deliveries: readonly DeliveryRecord[], receipts: readonly Receipt[]): number {
  const countById = new Map<string, number>();
  for (const { id } of receipts) countById.set(id, (countById.get(id) ?? 0) + 1);
  return deliveries
    .filter(({ successes }) => successes > 0)
    .reduce((sum, { id, attempts }) => sum + Math.max(0, (countById.get(id) ?? 0) - attempts), 0);
}

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
