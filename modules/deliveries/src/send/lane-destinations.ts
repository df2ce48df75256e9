// The destinations of lanes: when they are read again, and which deliveries leave a lane because they cannot be sent now.
import type { Query } from '@service/database';
import type { Log } from '@service/log';
import { endpointKey, type EndpointKey } from '../endpoint/endpoint.ts';
import { destinationMaxAgeMs } from '../endpoint/open-destinations.ts';
import type { Destination, DestinationOpener } from '../endpoint/open-destinations.ts';
import type { ClaimedDestination } from '../queue/claim.ts';
import { cancelDeliveries, parkForPausedEndpoint, parkForSuspendedAccount } from '../queue/lease.ts';
import type { ClaimedDelivery } from '../queue/lease.ts';
import type { Lane } from './lane.ts';
import type { Lanes } from './lanes.ts';

interface LaneDestinationsOptions {
  query: Query;
  lanes: Lanes;
  destinationOpener: DestinationOpener;
  /** Gives deliveries back unsent. Never rejects. */
  release(deliveries: readonly ClaimedDelivery[], waitSeconds: number): Promise<void>;
  log: Log;
}

/** A delivery waits this long after a fault of ours, such as a secret that does not open. No try is spent. */
export const faultWaitSeconds = 60;

/** A destination that took long to read is still valid for this long. Otherwise a slow database would stop all sending. */
const validAtLeastMs = 20;

/** Deliveries wait this long after their endpoints could not be read. */
const unreadWaitSeconds = 1;

export function createLaneDestinations(options: LaneDestinationsOptions) {
  const { query, lanes, destinationOpener, release, log } = options;
  const toRead = new Set<Lane>();
  let reading: Promise<void> | undefined;

  const ensureValid = (lane: Lane): boolean => {
    if (isValid(lane)) return true;
    toRead.add(lane);
    return false;
  };

  const readAll = async (): Promise<void> => {
    while (toRead.size > 0) {
      const batch = [...toRead];
      toRead.clear();
      const readAt = performance.now();
      try {
        const destinations = await destinationOpener.read(batch);
        const validUntil = Math.max(readAt + destinationMaxAgeMs, performance.now() + validAtLeastMs);
        for (const lane of batch) lanes.setDestination(lane, destinations.get(endpointKey(lane)), validUntil);
        await removeUnsendable(batch);
      } catch (error) {
        log.error({ err: error }, 'Endpoints could not be read; their deliveries wait');
        const unsent = lanes.takeOut(() => true, batch);
        await release(unsent, unreadWaitSeconds);
      }
      for (const lane of batch) lanes.resume(lane);
    }
    reading = undefined;
  };

  const read = async (): Promise<void> => {
    // With nothing to read `readAll` would end before its promise is assigned here.
    if (toRead.size > 0) reading ??= readAll();
    await reading;
  };

  /** Cancels, parks or releases deliveries of lanes that nothing can be sent to. */
  const removeUnsendable = async (of: Iterable<Lane>): Promise<void> => {
    const unsendable = [...of].filter((lane) => isValid(lane) && !isSendable(lane.destination));
    if (unsendable.length === 0) return;
    const takeOut = (isUnwanted: (destination: Destination, delivery: ClaimedDelivery) => boolean) =>
      lanes.takeOut((delivery, { destination }) => isUnwanted(destination!, delivery), unsendable);
    const ended = lanes.takeOut((_delivery, { destination }) => destination?.enabled !== true, unsendable);
    const suspended = takeOut(({ isSuspended }) => isSuspended);
    // A test of a paused or halted endpoint is sent at once. It says what a probe would say.
    const paused = takeOut(
      ({ health }, { isProbe, isTest }) =>
        !isTest && (health === 'halted' || (health === 'paused' && !isProbe)),
    );
    const faulty = takeOut(({ keys }) => keys === undefined);
    if (ended.length > 0) await cancelDeliveries(query, ended);
    if (suspended.length > 0) await parkForSuspendedAccount(query, suspended);
    if (paused.length > 0) await parkForPausedEndpoint(query, paused);
    await release(faulty, faultWaitSeconds);
  };

  return {
    /** True if the lane's destination may be used now. Otherwise `read` reads it and then resumes the lane. */
    ensureValid,

    hasUnread: (): boolean => toRead.size > 0,

    /** Reads all destinations that `ensureValid` refused. */
    read,

    /** Takes destinations that were read at `readAt`, a time of `performance.now()`. Later ones that a lane has already are kept. */
    receive(read: readonly ClaimedDestination[], readAt: number): void {
      const validUntil = readAt + destinationMaxAgeMs;
      for (const destination of read) {
        const lane = lanes.of(destination);
        if (validUntil <= lane.destinationValidUntil) continue;
        lanes.setDestination(lane, destinationOpener.open(destination.endpointId, destination), validUntil);
      }
    },

    /** Begins to read the destinations of endpoints whose deliveries come soon. Never rejects. */
    readEarly(endpoints: readonly EndpointKey[]): void {
      for (const endpoint of endpoints) ensureValid(lanes.of(endpoint));
      void read();
    },

    /** Prepares lanes that have just got deliveries. */
    async prepare(filled: Iterable<Lane>): Promise<void> {
      for (const lane of filled) ensureValid(lane);
      await read();
      await removeUnsendable(filled);
    },
  };
}

const isValid = (lane: Lane): boolean => performance.now() <= lane.destinationValidUntil;

/** True if deliveries that are not probes can be sent. */
const isSendable = (destination: Destination | undefined): boolean =>
  destination?.enabled === true &&
  !destination.isSuspended &&
  destination.keys !== undefined &&
  destination.health !== 'paused' &&
  destination.health !== 'halted';
