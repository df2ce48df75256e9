import { subjectOf } from './event-sources.ts';

export interface Receipts {
  /** Adds the body of a webhook. `id` is the same in a retry after a lost answer. */
  add(source: string, id: string, body: WebhookBody): void;
  /** Ids of the deliveries of a source for an attendee, by subject. */
  of(registrationId: string, source: string): ReadonlyMap<string, ReadonlySet<string>>;
  /** Different deliveries of a source. */
  countOf(source: string): number;
  sources(): string[];
  registrationIds(): Iterable<string>;
  /** Different deliveries of all sources. */
  count(): number;
  /** Repeated deliveries, which "at least once" allows. */
  repeats(): number;
}

export interface WebhookBody {
  event_type: string;
  attendee: { registration_id: string };
  event_data: Record<string, unknown>;
}

const nothing: ReadonlyMap<string, ReadonlySet<string>> = new Map();

/** The received webhooks. */
export function createReceipts(): Receipts {
  const received = new Map<string, Map<string, Map<string, Set<string>>>>();
  const counts = new Map<string, number>();
  let repeats = 0;

  return {
    add(source, id, { attendee, event_data }) {
      const bySource = entry(
        received,
        attendee.registration_id,
        () => new Map<string, Map<string, Set<string>>>(),
      );
      const bySubject = entry(bySource, source, () => new Map<string, Set<string>>());
      const ids = entry(bySubject, subjectOf(source, event_data), () => new Set<string>());
      if (ids.has(id)) {
        repeats += 1;
        return;
      }
      ids.add(id);
      counts.set(source, (counts.get(source) ?? 0) + 1);
    },
    of: (registrationId, source) => received.get(registrationId)?.get(source) ?? nothing,
    countOf: (source) => counts.get(source) ?? 0,
    sources: () => [...counts.keys()],
    registrationIds: () => received.keys(),
    count: () => [...counts.values()].reduce((sum, count) => sum + count, 0),
    repeats: () => repeats,
  };
}

function entry<Key, Value>(map: Map<Key, Value>, key: Key, make: () => Value): Value {
  const found = map.get(key) ?? make();
  map.set(key, found);
  return found;
}
