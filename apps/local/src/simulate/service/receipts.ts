import { subjectOf } from './event-sources.ts';

export type Receipts = ReturnType<typeof createReceipts>;

export interface WebhookBody {
  event_type: string;
  attendee: { registration_id: string };
  event_data: Record<string, unknown>;
}

const nothing: ReadonlyMap<string, ReadonlySet<string>> = new Map();

/** The received webhooks. */
export function createReceipts() {
  const received = new Map<string, Map<string, Map<string, Set<string>>>>();
  const counts = new Map<string, number>();
  let repeats = 0;

  return {
    /** Adds the body of a webhook. `id` is the same in a retry after a lost answer. */
    add(source: string, id: string, { attendee, event_data }: WebhookBody): void {
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
    /** Ids of the deliveries of a source for an attendee, by subject. */
    of: (registrationId: string, source: string): ReadonlyMap<string, ReadonlySet<string>> =>
      received.get(registrationId)?.get(source) ?? nothing,
    /** Different deliveries of a source. */
    countOf: (source: string): number => counts.get(source) ?? 0,
    sources: (): string[] => [...counts.keys()],
    registrationIds: (): Iterable<string> => received.keys(),
    /** Different deliveries of all sources. */
    count: (): number => [...counts.values()].reduce((sum, count) => sum + count, 0),
    /** Repeated deliveries, which "at least once" allows. */
    repeats: (): number => repeats,
  };
}

function entry<Key, Value>(map: Map<Key, Value>, key: Key, make: () => Value): Value {
  const found = map.get(key) ?? make();
  map.set(key, found);
  return found;
}
