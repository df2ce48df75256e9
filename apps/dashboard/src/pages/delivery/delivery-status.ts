import type { StatusLook } from '../../components/status.tsx';
import type { DeliverySummary } from '../../trpc.ts';

export type DeliveryStatus = DeliverySummary['status'];

export const deliveryLooks: Record<DeliveryStatus, StatusLook & { word: string }> = {
  queued: { tone: 'quiet', isHollow: true, isMoving: true, word: 'Queued' },
  delivering: { tone: 'info', isMoving: true, word: 'Delivering' },
  success: { tone: 'good', word: 'Delivered' },
  retrying: { tone: 'warn', word: 'Retrying' },
  failure: { tone: 'bad', word: 'Failed' },
  cancelled: { tone: 'quiet', word: 'Cancelled' },
};

export const deliveryStatuses = Object.keys(deliveryLooks) as DeliveryStatus[];

/** Whether it can still change by itself. */
export const isUnfinished = (status: DeliveryStatus): boolean =>
  status === 'queued' || status === 'delivering' || status === 'retrying';

/** How often something on its way is looked at again. */
export const watchingMs = 1500;
