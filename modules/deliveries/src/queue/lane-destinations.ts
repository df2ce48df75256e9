// What a worker knows of where its lanes lead, and for how long it may rely on it.
import type { Database } from '@service/database';
import type { Log } from '@service/log';
import { destinationMaxAgeMs, type Destination } from '../endpoint/destinations.ts';
import { endpointKey, type EndpointKey } from '../endpoint/endpoint-key.ts';
import { cancelDeliveries, holdDeliveries, parkDeliveries, type ClaimedDelivery } from './claim.ts';
import type { Lane } from './lane.ts';
import type { Lanes } from './lanes.ts';

interface LaneDestinationsOptions {
  pool: Database['pool'];
  lanes: Lanes;
  read(wanted: readonly EndpointKey[]): Promise<Map<string, Destination>>;
  /** Gives deliveries up unsent. */
  release(deliveries: readonly ClaimedDelivery[], waitSeconds: number): Promise<void>;
  /** After a fault of ours. */
  faultWaitSeconds: number;
  log: Log;
}

/** What took longer to read than it may be relied on is good for what starts at once, or nothing would ever start. */
const atLeastMs = 20;

/** After endpoints could not be read, in seconds. */
const unreadWaitSeconds = 1;

/**
 * Reads the endpoints of lanes again when what is known of them is older than `destinationMaxAgeMs`, and takes out of the lanes
 * what cannot be sent as things are now.
 */
export function createLaneDestinations(options: LaneDestinationsOptions) {
  const { pool, lanes, read, release, faultWaitSeconds, log } = options;
  const stale = new Set<Lane>();
  let refreshing: Promise<void> | undefined;

  const isUsable = (lane: Lane): boolean => {
    if (isFresh(lane)) return true;
    stale.add(lane);
    return false;
  };

  const readStale = async (): Promise<void> => {
    while (stale.size > 0) {
      const batch = [...stale];
      stale.clear();
      const readAt = performance.now();
      try {
        const destinations = await read(batch);
        const knownUntil = Math.max(readAt + destinationMaxAgeMs, performance.now() + atLeastMs);
        for (const lane of batch) {
          lane.destination = destinations.get(endpointKey(lane));
          lane.knownUntil = knownUntil;
        }
        await clear(batch);
      } catch (error) {
        log.error({ err: error }, 'Endpoints could not be read; their deliveries wait');
        const unsent = lanes.takeOut(() => true, batch);
        await release(unsent, unreadWaitSeconds);
      }
      for (const lane of batch) lanes.resume(lane);
    }
    refreshing = undefined;
  };

  // Only with something to read: readStale would otherwise be over before it is assigned here.
  const refresh = async (): Promise<void> => {
    if (stale.size > 0) refreshing ??= readStale();
    await refreshing;
  };

  /** The endpoint is gone, switched off or paused, its account is suspended, or its secret does not open. */
  const clear = async (of: Iterable<Lane>): Promise<void> => {
    const unfit = [...of].filter((lane) => isFresh(lane) && !isFit(lane.destination));
    if (unfit.length === 0) return;
    const ended = lanes.takeOut((_delivery, { destination }) => destination?.enabled !== true, unfit);
    const parked = lanes.takeOut((_delivery, { destination }) => destination!.isSuspended, unfit);
    const held = lanes.takeOut(
      ({ isProbe }, { destination }) => destination!.health === 'paused' && !isProbe,
      unfit,
    );
    const faulty = lanes.takeOut((_delivery, { destination }) => destination!.keys === undefined, unfit);
    if (ended.length > 0) await cancelDeliveries(pool, ended);
    if (parked.length > 0) await parkDeliveries(pool, parked);
    if (held.length > 0) await holdDeliveries(pool, held);
    await release(faulty, faultWaitSeconds);
  };

  return {
    /** Whether something can be sent now; a lane that is refused is read again with the next `refresh`, and then resumed. */
    isUsable,

    /** Whether something waits to be read. */
    isStale: (): boolean => stale.size > 0,

    /** Reads what `isUsable` refused. */
    refresh,

    /** Makes lanes ready that just got deliveries. */
    async prepare(filled: Iterable<Lane>): Promise<void> {
      for (const lane of filled) isUsable(lane);
      await refresh();
      await clear(filled);
    },
  };
}

const isFresh = (lane: Lane): boolean => performance.now() <= lane.knownUntil;

/** Whether deliveries that are no probes can go there. */
const isFit = (destination: Destination | undefined): boolean =>
  destination?.enabled === true &&
  !destination.isSuspended &&
  destination.keys !== undefined &&
  destination.health !== 'paused';
