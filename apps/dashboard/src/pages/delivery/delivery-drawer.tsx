import { Drawer, Skeleton, Stack } from '@mantine/core';
import { lazy, Suspense } from 'react';
import type { DeliveryBodyProps } from './delivery-body.tsx';

// Loaded when a delivery is opened: every tab of a webinar has this drawer.
const DeliveryBody = lazy(async () => ({ default: (await import('./delivery-body.tsx')).DeliveryBody }));

type DeliveryDrawerProps = Omit<DeliveryBodyProps, 'deliveryId'> & {
  deliveryId: string | undefined;
  onClose: () => void;
};

export function DeliveryDrawer({ deliveryId, onClose, ...props }: DeliveryDrawerProps) {
  return (
    <Drawer opened={deliveryId !== undefined} onClose={onClose} title="Webhook delivery">
      {deliveryId ? (
        <Suspense fallback={<DeliverySkeleton />}>
          <DeliveryBody deliveryId={deliveryId} {...props} />
        </Suspense>
      ) : null}
    </Drawer>
  );
}

export function DeliverySkeleton() {
  return (
    <Stack aria-busy>
      <Skeleton height={18} width={140} />
      <Skeleton height={150} />
      <Skeleton height={90} />
      <Skeleton height={200} />
    </Stack>
  );
}
