import type { Period } from '@service/catalogue';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { usePaged } from '../../paged.ts';
import { useTRPC, useTRPCClient, type RevenueEvent } from '../../trpc.ts';
import { useWorkspace } from '../../workspace.ts';
import { todayIn } from './days.ts';
import { reportSpanOf, spanOf } from './filters.ts';
import type { RevenueSearch } from './search.ts';

/** Today in the time zone of the workspace. */
export function useToday(): string {
  const { workspace } = useWorkspace();
  return todayOf(workspace.timeZone);
}

const todayOf = (timeZone: string): string => todayIn(timeZone, Date.now());

function filterOf(search: RevenueSearch, today: string) {
  const { type, source, state, attributed, webinar, offer, email } = search;
  return {
    ...spanOf(search, today),
    type,
    source,
    state,
    attributed: attributed === undefined ? undefined : attributed === 'yes',
    webinarId: webinar,
    interactionId: offer,
    email,
  };
}

export type EventFilter = ReturnType<typeof filterOf>;

/** The filters as input of the API. The same object while nothing changes, so that cursors stay valid. */
export function useEventFilter(search: RevenueSearch): EventFilter {
  const text = JSON.stringify(filterOf(search, useToday()));
  return useMemo(() => JSON.parse(text) as EventFilter, [text]);
}

/** The events that match, newest first. */
export function useRevenueEvents(filter: EventFilter) {
  const trpc = useTRPC();
  const client = useTRPCClient();
  return usePaged<RevenueEvent>({
    queryKey: trpc.revenue.list.queryKey(filter),
    fetchPage: (page, signal) => client.revenue.list.query({ ...filter, ...page }, { signal }),
  });
}

interface Report {
  by: NonNullable<RevenueSearch['by']> | Period;
  /** All currencies when left out. */
  currency?: string;
}

/** The input of a report: the time and the webinar of the page. Other filters are of the events only. */
export const useReportInput = (search: RevenueSearch, report: Report) => ({
  ...reportSpanOf(search, useToday()),
  webinarId: search.webinar,
  ...report,
});

/** The sums of a report. Old sums stay until those of another time are loaded. */
export function useReport(search: RevenueSearch, report: Report) {
  const trpc = useTRPC();
  const input = useReportInput(search, report);
  const query = useQuery(trpc.revenue.summary.queryOptions(input, { placeholderData: keepPreviousData }));
  return { ...query, data: query.data?.data };
}

/** The report with the totals of each currency. */
export const totals = { by: 'level' } as const;

/** True when the workspace never received an event. False until that is known. It is asked only when the time has no events. */
export function useIsUnused(search: RevenueSearch): boolean {
  const trpc = useTRPC();
  const isEmpty = useReport(search, totals).data?.totals.length === 0;
  const { data } = useQuery(trpc.revenue.list.queryOptions({ limit: 1 }, { enabled: isEmpty }));
  return isEmpty && data?.data.length === 0;
}
