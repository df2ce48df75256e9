import { useQuery } from '@tanstack/react-query';
import { useTRPC } from './trpc.ts';

/** The retentions as texts: `for 90 days`. Undefined until they are loaded. */
export function useRetention(): { history: string; bodies: string; events: string } | undefined {
  const trpc = useTRPC();
  const retention = useQuery(trpc.retention.get.queryOptions(undefined, { staleTime: 'static' }));
  if (!retention.data) return undefined;
  const { historyDays, bodyDays, eventDays } = retention.data.data;
  return {
    history: `for ${daysText(historyDays)}`,
    bodies: `for ${daysText(bodyDays)}`,
    events: eventDays === null ? 'for as long as the workspace exists' : `for ${daysText(eventDays)}`,
  };
}

const daysText = (days: number): string => (days === 1 ? 'one day' : `${days} days`);
