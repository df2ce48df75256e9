import { Status } from '../../components/status.tsx';
import type { Delivery } from '../../trpc.ts';

/** Marks of a delivery that no event caused. */
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
          Sent again
        </Status>
      ) : null}
    </>
  );
}
