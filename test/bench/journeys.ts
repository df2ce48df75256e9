import { setTimeout as delay } from 'node:timers/promises';
import { clockMs } from '../support/clock-ms.ts';
import type { ReceiverProcess } from '../support/receiver-process.ts';

/** A delivery on its way from its commit to its first receipt, by `clockMs`. */
export interface Journey {
  deliveryId: string;
  committedMs: number;
  /** Undefined as long as it has not arrived. */
  receivedMs: number | undefined;
}

export interface Journeys {
  /** Says that deliveries are committed, now unless another moment is given. */
  depart(deliveryIds: readonly string[], atMs?: number): void;
  /** Waits until every one of them has arrived, or for so long; returns all, in the order of their commits. */
  untilArrived(withinMs: number): Promise<Journey[]>;
}

const askEveryMs = 50;

/** Follows deliveries to a receiver. Receipts of others are forgotten. */
export function followJourneys(receiver: ReceiverProcess): Journeys {
  const journeys = new Map<string, Journey>();
  const receivedById = new Map<string, number>();

  const collect = async (): Promise<void> => {
    for (const { deliveryId, atMs } of await receiver.takeArrivals())
      if (!receivedById.has(deliveryId)) receivedById.set(deliveryId, atMs);
    // A receipt can be here before its commit is.
    for (const journey of journeys.values()) journey.receivedMs ??= receivedById.get(journey.deliveryId);
  };

  return {
    depart(deliveryIds, committedMs = clockMs()) {
      for (const deliveryId of deliveryIds)
        journeys.set(deliveryId, { deliveryId, committedMs, receivedMs: undefined });
    },
    async untilArrived(withinMs) {
      const deadline = clockMs() + withinMs;
      for (;;) {
        await collect();
        const all = [...journeys.values()];
        if (clockMs() >= deadline || all.every(({ receivedMs }) => receivedMs !== undefined)) return all;
        await delay(askEveryMs);
      }
    },
  };
}

/**
 * Milliseconds from commit to receipt. What has not arrived counts with the time it has waited so far: left out, the worst
 * would not be seen.
 */
export function latenciesOf(journeys: readonly Journey[]): number[] {
  const now = clockMs();
  return journeys.map(({ committedMs, receivedMs }) => Math.max(0, (receivedMs ?? now) - committedMs));
}
