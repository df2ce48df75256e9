import { check, type Check } from './drill.ts';
import { seconds } from './judge.ts';
import type { Receipt } from '../support/receiver-process.ts';
import type { Answer, Traffic } from './traffic.ts';
import { waitUntil } from './wait-until.ts';
import type { ChaosWorld } from './world.ts';

const answeredMaxMs = 10_000;
const sentMaxMs = 15_000;

/** Resolves when events are acknowledged and sent again after a moment, or when the time for that is over. */
export async function awaitRecovery(
  { receiver }: ChaosWorld,
  traffic: readonly Traffic[],
  since: number,
): Promise<void> {
  const isAnswered = (): boolean =>
    traffic.some(({ answers }) => firstAcknowledged(answers, since) < Infinity);
  await waitUntil(isAnswered, sentMaxMs);
  await waitUntil(async () => firstSent(await receiver.receipts(), since) < Infinity, sentMaxMs);
}

/** Checks that both work again: the API acknowledges, a worker sends. */
export function checkRecovery(
  since: number,
  traffic: readonly Traffic[],
  receipts: readonly Receipt[],
): Check {
  const answeredMs =
    firstAcknowledged(
      traffic.flatMap(({ answers }) => answers),
      since,
    ) - since;
  const sentMs = firstSent(receipts, since) - since;
  return check(
    `events are acknowledged again within ${seconds(answeredMaxMs)} and sent within ${seconds(sentMaxMs)}`,
    answeredMs <= answeredMaxMs && sentMs <= sentMaxMs,
    `after ${seconds(answeredMs)} and ${seconds(sentMs)}`,
  );
}

const firstAcknowledged = (answers: readonly Answer[], since: number): number =>
  answers
    .filter(({ at, acknowledged }) => acknowledged && at > since)
    .reduce((first, { at, durationMs }) => Math.min(first, at + durationMs), Infinity);

const firstSent = (receipts: readonly Receipt[], since: number): number =>
  receipts.find(({ at }) => at > since)?.at ?? Infinity;
