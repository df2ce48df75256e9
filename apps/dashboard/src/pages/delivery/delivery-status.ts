import type { StatusStyle } from '../../components/status.tsx';
import type { DeliverySummary } from '../../trpc.ts';

export type DeliveryStatus = DeliverySummary['status'];

export const deliveryStyles: Record<DeliveryStatus, StatusStyle & { word: string }> = {
  queued: { tone: 'quiet', isHollow: true, isMoving: true, word: 'Queued' },
  delivering: { tone: 'info', isMoving: true, word: 'Delivering' },
  success: { tone: 'good', word: 'Delivered' },
  retrying: { tone: 'warn', word: 'Retrying' },
  failure: { tone: 'bad', word: 'Failed' },
  cancelled: { tone: 'quiet', word: 'Cancelled' },
};

export const deliveryStatuses = Object.keys(deliveryStyles) as DeliveryStatus[];

/** True while the status can change without an action of a person. */
export const isUnfinished = (status: DeliveryStatus): boolean =>
  status === 'queued' || status === 'delivering' || status === 'retrying';
