import { Drawer, Skeleton, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { FailureNotice } from '../../components/failure-notice.tsx';
import { useTRPC } from '../../trpc.ts';
import { DeliveryDetails } from './delivery-details.tsx';
import { isUnfinished } from './delivery-status.ts';
import { useWebinarSearch } from './use-webinar-search.ts';

const watchingMs = 1500;

interface DeliveryDrawerProps {
  deliveryId: string | undefined;
  onClose: () => void;
}

export function DeliveryDrawer({ deliveryId, onClose }: DeliveryDrawerProps) {
  return (
    <Drawer opened={deliveryId !== undefined} onClose={onClose} title="Webhook delivery">
      {deliveryId ? <DeliveryBody key={deliveryId} deliveryId={deliveryId} /> : null}
    </Drawer>
  );
}

function DeliveryBody({ deliveryId }: { deliveryId: string }) {
  const trpc = useTRPC();
  const { webinarId } = useWebinarSearch();
  const { data, error, refetch } = useQuery(
    trpc.automations.delivery.queryOptions(
      { webinarId, deliveryId },
      {
        refetchInterval: ({ state }) =>
          state.data && isUnfinished(state.data.data.status) ? watchingMs : false,
      },
    ),
  );
  if (data) return <DeliveryDetails delivery={data.data} />;
  if (error) return <FailureNotice error={error} onRetry={() => void refetch()} />;
  return (
    <Stack aria-busy>
      <Skeleton height={18} width={140} />
      <Skeleton height={150} />
      <Skeleton height={90} />
      <Skeleton height={200} />
    </Stack>
  );
}
