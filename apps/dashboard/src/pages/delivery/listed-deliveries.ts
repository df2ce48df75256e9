// The list of deliveries on the page, for the drawer. The drawer of a webinar is rendered for all its tabs, so it does not know the
// list: the list announces its order here, and the drawer reads it to go to the previous and the next delivery.
import { useEffect, useSyncExternalStore } from 'react';

interface Listed {
  ids: readonly string[];
  /** Loads older deliveries. Undefined at the end of the list. */
  loadMore: (() => void) | undefined;
}

const nothing: Listed = { ids: [], loadMore: undefined };
const listeners = new Set<() => void>();
let listed = nothing;

function set(next: Listed): void {
  listed = next;
  for (const notify of listeners) notify();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** Announces the deliveries of a list for as long as it is on the page. */
export function useAnnounceListed(ids: readonly string[], loadMore: (() => void) | undefined): void {
  const text = ids.join(' ');
  useEffect(() => {
    set({ ids: text === '' ? [] : text.split(' '), loadMore });
  }, [text, loadMore]);
  useEffect(() => () => set(nothing), []);
}

export interface Neighbours {
  /** From 1. 0 when the list on the page does not contain the delivery. */
  place: number;
  count: number;
  previous: string | undefined;
  next: string | undefined;
  loadMore: (() => void) | undefined;
}

/** The deliveries before and after one in the list on the page. */
export function useNeighbours(deliveryId: string): Neighbours {
  const { ids, loadMore } = useSyncExternalStore(subscribe, () => listed);
  const index = ids.indexOf(deliveryId);
  return {
    place: index + 1,
    count: ids.length,
    previous: index > 0 ? ids[index - 1] : undefined,
    next: index >= 0 ? ids[index + 1] : undefined,
    loadMore: index >= 0 ? loadMore : undefined,
  };
}
