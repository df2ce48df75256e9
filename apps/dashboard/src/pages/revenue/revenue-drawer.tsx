import { Drawer, Skeleton, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { FailureNotice } from '../../components/failure-notice.tsx';
import { useTRPC } from '../../trpc.ts';

// Loaded when an event is opened.
const RevenueDetails = lazy(async () => ({
  default: (await import('./revenue-details.tsx')).RevenueDetails,
}));

interface RevenueDrawerProps {
  eventId: string | undefined;
  onClose: () => void;
  /** Shows another event of the same payment. */
  onShow: (eventId: string) => void;
}

/** One event: its payment, and how it was credited. */
export function RevenueDrawer({ eventId, onClose, onShow }: RevenueDrawerProps) {
  return (
    <Drawer opened={eventId !== undefined} onClose={onClose} title="Revenue event">
      {eventId ? <LoadedEvent key={eventId} eventId={eventId} onShow={onShow} /> : null}
    </Drawer>
  );
}

function LoadedEvent({ eventId, onShow }: { eventId: string; onShow: (eventId: string) => void }) {
  const trpc = useTRPC();
  const { data, error, refetch } = useQuery(trpc.revenue.get.queryOptions({ revenueEventId: eventId }));
  if (error && !data) return <FailureNotice error={error} onRetry={() => void refetch()} />;
  if (!data) return <EventSkeleton />;
  return (
    <Suspense fallback={<EventSkeleton />}>
      <RevenueDetails event={data.data} onShow={onShow} />
    </Suspense>
  );
}

const EventSkeleton = () => (
  <Stack aria-busy>
    <Skeleton height={26} width={160} />
    <Skeleton height={84} />
    <Skeleton height={180} />
    <Skeleton height={220} />
  </Stack>
);
