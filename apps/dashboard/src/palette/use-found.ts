// Search on the server: webinars, registrations, and any pasted id. One batch of calls for each pause in
// typing; the calls of an earlier text are cancelled.
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useTRPC } from '../trpc.ts';
import { isRequestId, isSecret, isUuid } from './search-text.ts';

const pauseMs = 180;
const shownMax = 6;
const keepMs = 30_000;
const keyLengthMin = 4;

export function useFound(text: string) {
  const trpc = useTRPC();
  const typed = text.trim().slice(0, 200);
  const [paused] = useDebouncedValue(typed, pauseMs);
  // Results stay while a person types on. Those of another text would be opened by a quick Enter.
  const settled = typed.startsWith(paused) ? paused : '';
  const isId = isUuid(settled);
  const id = settled.toLowerCase();
  const options = (enabled: boolean) => ({
    enabled,
    staleTime: keepMs,
    retry: false,
    trpc: { abortOnUnmount: true },
  });
  const hasText = settled !== '' && !isSecret(settled);
  const titles = useQuery(
    trpc.webinars.list.queryOptions({ q: settled, limit: shownMax }, options(hasText && !isId)),
  );
  const people = useQuery(trpc.registrations.find.queryOptions({ q: settled }, options(hasText)));
  const webinar = useQuery(trpc.webinars.get.queryOptions({ webinarId: id }, options(isId)));
  const source = useQuery(trpc.automations.find.queryOptions({ id }, options(isId)));
  const calls = useQuery(
    trpc.activity.list.queryOptions(
      { requestId: settled, range: 'last_90_days', limit: 1 },
      options(isRequestId(settled)),
    ),
  );
  const keys = useQuery(trpc.keys.list.queryOptions(undefined, options(settled.length >= keyLengthMin)));
  const queries = [titles, people, webinar, source, calls, keys];
  return {
    isSearching: typed !== '' && (settled !== typed || queries.some(({ isFetching }) => isFetching)),
    error: people.error ?? titles.error,
    webinars: !hasText ? [] : isId ? (webinar.data ? [webinar.data.data] : []) : (titles.data?.data ?? []),
    people: hasText ? (people.data?.data ?? []) : [],
    source: isId ? (source.data?.data ?? undefined) : undefined,
    call: hasText ? calls.data?.data[0] : undefined,
    keys:
      settled.length < keyLengthMin
        ? []
        : (keys.data?.data ?? []).filter((key) => isKey(key, settled)).slice(0, shownMax),
  };
}

/** A key is found by its label, its visible ends, or by the whole key that was pasted. */
function isKey({ label, maskedKey }: { label: string; maskedKey: string }, text: string): boolean {
  const [prefix = '', hint = ''] = maskedKey.split('...');
  const isWhole = text.startsWith(prefix) && text.endsWith(hint) && text.length > prefix.length + hint.length;
  return (
    isWhole || hint.endsWith(text) || maskedKey === text || label.toLowerCase().includes(text.toLowerCase())
  );
}
