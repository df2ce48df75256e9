import { Drawer, Skeleton, Stack } from '@mantine/core';
import { FailureNotice } from '../../components/failure-notice.tsx';
import { DeliveryDetails } from './delivery-details.tsx';
import { DrawerSteps } from './drawer-steps.tsx';
import { useDelivery } from './use-delivery.ts';

interface DeliveryBodyProps {
  /** Undefined on pages of the workspace. */
  webinarId?: string | undefined;
  deliveryId: string;
  /** Shows another delivery. */
  onShow: (deliveryId: string) => void;
}

type DeliveryDrawerProps = Omit<DeliveryBodyProps, 'deliveryId'> & {
  deliveryId: string | undefined;
  onClose: () => void;
};

export function DeliveryDrawer({ deliveryId, onClose, ...props }: DeliveryDrawerProps) {
  return (
    <Drawer opened={deliveryId !== undefined} onClose={onClose} title="Webhook delivery">
      {deliveryId ? (
        <>
          <DrawerSteps deliveryId={deliveryId} onShow={props.onShow} />
          <DeliveryBody key={deliveryId} deliveryId={deliveryId} {...props} />
        </>
      ) : null}
    </Drawer>
  );
}

function DeliveryBody({ webinarId, deliveryId, onShow }: DeliveryBodyProps) {
  const { data, error, refetch } = useDelivery({ webinarId, deliveryId });
  if (data) return <DeliveryDetails delivery={data.data} onShow={onShow} />;
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
