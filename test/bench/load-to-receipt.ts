// A constant rate of deliveries, followed from their commits to their receipts.
import { clockMs } from '../support/clock-ms.ts';
import type { ReceiverProcess } from '../support/receiver-process.ts';
import { followJourneys, latenciesOf, type Journey, type Journeys } from './journeys.ts';
import { runOpenLoop } from './open-loop.ts';
import { percentilesOf } from './percentiles.ts';

interface FollowedLoad {
  receiver: ReceiverProcess;
  /** Commits. */
  perSecond: number;
  seconds: number;
  warmUpSeconds: number;
  /** Commits deliveries. Returns the ids of those that are followed. */
  commit(index: number): Promise<string[]>;
  /** Between the warm-up and the measurement. */
  begin?: () => Promise<void>;
}

const arriveWithinMs = 5000;

export async function followLoad({ receiver, perSecond, commit, begin, ...load }: FollowedLoad) {
  const run = (journeys: Journeys, seconds: number) =>
    runOpenLoop({
      perSecond,
      seconds,
      arrive: async (index) => journeys.depart(await commit(index)),
    });
  await run(followJourneys(receiver), load.warmUpSeconds);
  await begin?.();
  const startedAt = clockMs();
  const journeys = followJourneys(receiver);
  const { latestMs: behind } = await run(journeys, load.seconds);
  const all = await journeys.untilArrived(arriveWithinMs);
  const p99Of = (isMeant: (journey: Journey) => boolean): number =>
    percentilesOf(latenciesOf(all.filter(isMeant))).p99;
  return {
    /** In milliseconds. */
    ...percentilesOf(latenciesOf(all)),
    left: all.filter(({ receivedMs }) => receivedMs === undefined).length,
    /** The longest that the bench itself was late. */
    behind,
    /** Of those committed in so many milliseconds from the beginning, and of the others. */
    splitP99: (firstMs: number) => ({
      firstP99: p99Of(({ committedMs }) => committedMs < startedAt + firstMs),
      laterP99: p99Of(({ committedMs }) => committedMs >= startedAt + firstMs),
    }),
  };
}
