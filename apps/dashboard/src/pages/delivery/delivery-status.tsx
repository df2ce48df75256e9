import { failureReasons } from '@service/catalogue';
import { Status, type WordStyle } from '../../components/status.tsx';
import { formatPlural } from '../../format.ts';
import type { Delivery, DeliverySummary, Health, ListedDelivery } from '../../trpc.ts';
import { offReasons, subscriptionName, type SourceKind } from '../source/source.ts';

export type DeliveryStatus = DeliverySummary['status'];

export const deliveryStyles: Record<DeliveryStatus, WordStyle> = {
  queued: { tone: 'quiet', isHollow: true, isMoving: true, word: 'Queued' },
  delivering: { tone: 'info', isMoving: true, word: 'Delivering' },
  success: { tone: 'good', word: 'Delivered' },
  retrying: { tone: 'warn', word: 'Retrying' },
  failure: { tone: 'bad', word: 'Failed' },
  cancelled: { tone: 'quiet', word: 'Cancelled' },
};

/** The status of a delivery. One that was sent again while it waited ended as cancelled, but its message did not. */
export const deliveryStyle = ({
  status,
  replacedBy,
}: Pick<ListedDelivery, 'status' | 'replacedBy'>): WordStyle =>
  replacedBy === null ? deliveryStyles[status] : { tone: 'quiet', word: 'Sent again' };

export const deliveryStatuses = Object.keys(deliveryStyles) as DeliveryStatus[];

/** True while the status can change without an action of a person. */
export const isUnfinished = (status: DeliveryStatus): boolean =>
  status === 'queued' || status === 'delivering' || status === 'retrying';

type Attempt = Pick<Delivery['attemptLog'][number], 'failure' | 'responseCode'>;

/** The reason of a failure, in the words of a person who runs the endpoint. */
export function failureText({ failure, responseCode }: Attempt): string {
  if (responseCode !== null && (failure === null || failure === 'http_status'))
    return `Answered ${responseCode}`;
  return failure === null ? 'No answer' : failureReasons[failure].title;
}

/** "Timed out, 4 failures in a row" */
export const healthText = ({ lastFailure, lastResponseCode, failuresInARow }: Health): string =>
  `${failureText({ failure: lastFailure, responseCode: lastResponseCode })}, ${formatPlural(failuresInARow, 'failure')} in a row`;

interface Sendable {
  status: DeliveryStatus;
  /** The delivery that was made when this one was sent again while it waited. */
  replacedBy: string | null;
  /** Null after its rule or subscription was deleted. */
  source: { kind: SourceKind; enabled: boolean } | null;
}

const statusReasons: Record<DeliveryStatus, string | undefined> = {
  failure: undefined,
  retrying: undefined,
  success: 'It was delivered, so it is not sent again.',
  delivering: 'A try is in flight. Wait for its result.',
  queued: 'It has not been tried yet. It is sent by itself.',
  cancelled: 'It was cancelled. Recover sends cancelled deliveries of a time range.',
};

/** The reason why a delivery cannot be sent again. Undefined when it can. */
export function sendAgainReason({ status, replacedBy, source }: Sendable): string | undefined {
  if (replacedBy !== null) return 'It was sent again already, as a newer delivery.';
  const reason = statusReasons[status];
  if (reason !== undefined) return reason;
  if (!source) return 'Its rule or subscription was deleted, so it cannot be sent again.';
  return source.enabled ? undefined : offReasons[source.kind];
}

/** The name of the rule or subscription of a delivery: the present one, else the one at the time of the event. */
export function sourceNameOf({ source, sourceName, url }: Delivery): string {
  if (source?.kind === 'webhook') return subscriptionName({ description: source.name, url: url ?? '' });
  return source?.name ?? sourceName;
}

/** Marks of a delivery that no event caused. */
export function DeliveryMarks({ delivery }: { delivery: Pick<Delivery, 'isTest' | 'isRefire'> }) {
  return (
    <>
      {delivery.isTest ? <Status tone="quiet" isHollow word="Test" /> : null}
      {delivery.isRefire ? <Status tone="info" isHollow word="Repeat" /> : null}
    </>
  );
}
