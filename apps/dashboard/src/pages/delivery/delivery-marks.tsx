import { Status } from '../../components/status.tsx';
import type { Delivery } from '../../trpc.ts';

/** What makes a delivery other than one that an event caused. */
export function DeliveryMarks({ delivery }: { delivery: Pick<Delivery, 'isTest' | 'isRefire'> }) {
  return (
    <>
      {delivery.isTest ? (
        <Status tone="quiet" isHollow>
          Test
        </Status>
      ) : null}
      {delivery.isRefire ? (
        <Status tone="info" isHollow>
          Re-fire
        </Status>
      ) : null}
    </>
  );
}
