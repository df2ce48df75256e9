import { FailureNotice } from '../../components/failure-notice.tsx';
import { DeliveryDetails } from './delivery-details.tsx';
import { DeliverySkeleton } from './delivery-skeleton.tsx';
import { DrawerSteps } from './drawer-steps.tsx';
import { useDelivery } from './use-delivery.ts';

export interface DeliveryBodyProps {
  /** Undefined on pages of the workspace. */
  webinarId?: string | undefined;
  deliveryId: string;
  /** Shows another delivery. */
  onShow: (deliveryId: string) => void;
}

export function DeliveryBody(props: DeliveryBodyProps) {
  return (
    <>
      <DrawerSteps deliveryId={props.deliveryId} onShow={props.onShow} />
      <LoadedDelivery key={props.deliveryId} {...props} />
    </>
  );
}

function LoadedDelivery({ webinarId, deliveryId, onShow }: DeliveryBodyProps) {
  const { data, error, refetch } = useDelivery({ webinarId, deliveryId });
  if (data) return <DeliveryDetails delivery={data.data} onShow={onShow} />;
  if (error) return <FailureNotice error={error} onRetry={() => void refetch()} />;
  return <DeliverySkeleton />;
}
