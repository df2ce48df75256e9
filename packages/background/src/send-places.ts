/** The sends at once, of all keys. A slow send does not count. */
const placesMax = 64;
/** No key has more than half of the places. */
const ownMax = 32;
/** Keys whose last send was slow share this many sends. */
const slowMax = 16;
/** The slow sends that leave their places to others. */
const movedMax = 128;
/** Keys that are remembered as slow. */
const slowKeysMax = 10_000;

/** After this time a send is slow. */
export const slowMs = 2000;

export interface Places {
  isFull(): boolean;
  /** Free places of all keys together. */
  free(): number;
  /** The number of sends that may be begun now for a key that may have `openMax` open sends. */
  freeFor(key: string, openMax: number): number;
  /** Keys that get no place now. A search for due work leaves them out, else they would hide the keys behind them. */
  fullKeys(): string[];
  enter(key: string, openMax: number): Place;
}

/** The place of one send from its claim to its outcome. */
export interface Place {
  /** The send is slow, and others get its place. */
  slowDown(): void;
  /** The send has ended. */
  leave(): void;
  /** Nothing was sent. */
  giveBack(): void;
}

/**
 * Shares the open sends of a process among keys, such as accounts or connections: a server that hangs keeps places from others for two
 * seconds at most.
 */
export function createPlaces(): Places {
  const openByKey = new Map<string, { own: number; max: number }>();
  const slow = new Set<string>();
  let open = 0;
  let moved = 0;

  const openOfSlow = (): number =>
    [...openByKey].reduce((sum, [key, { own }]) => sum + (slow.has(key) ? own : 0), 0);

  const leaveKey = (key: string): void => {
    const { own, max } = openByKey.get(key)!;
    if (own > 1) openByKey.set(key, { own: own - 1, max });
    else openByKey.delete(key);
  };

  return {
    isFull: () => open >= placesMax,
    free: () => Math.max(0, placesMax - open),
    fullKeys: () => [
      ...[...openByKey].filter(([, { own, max }]) => own >= max).map(([key]) => key),
      ...(openOfSlow() < slowMax ? [] : slow),
    ],
    freeFor(key, openMax) {
      const { own = 0 } = openByKey.get(key) ?? {};
      const free = Math.min(placesMax - open, ownMax - own, openMax - own);
      return Math.max(0, slow.has(key) ? Math.min(free, slowMax - openOfSlow()) : free);
    },
    enter(key, openMax) {
      open += 1;
      const { own = 0 } = openByKey.get(key) ?? {};
      openByKey.set(key, { own: own + 1, max: Math.min(ownMax, openMax) });
      let isSlow = false;
      let isMoved = false;
      return {
        slowDown() {
          isSlow = true;
          if (slow.size < slowKeysMax) slow.add(key);
          if (isMoved || moved >= movedMax) return;
          isMoved = true;
          moved += 1;
          open -= 1;
        },
        leave() {
          if (isMoved) moved -= 1;
          else open -= 1;
          leaveKey(key);
          if (!isSlow) slow.delete(key);
        },
        giveBack() {
          open -= 1;
          leaveKey(key);
        },
      };
    },
  };
}
