import type { DeliveryDetail } from '@service/deliveries';
import type { Receiver } from '../../support/receiver.ts';

export type Delivery = DeliveryDetail;

/** A receiver, and the expected state of one delivery to it after the expected number of attempts. */
export interface Row {
  name: string;
  /** Other things that it opens go into `opened`, which is closed together with the rows. */
  start(opened: AsyncDisposableStack): Promise<Receiver>;
  expected: Expected;
  /** More expectations. */
  also?(seen: { delivery: Delivery; receiver: Receiver }): void | Promise<void>;
}

export interface Expected {
  /** Null for a success. */
  failure: Delivery['failure'];
  responseCode: number | null;
  /** The exact text. Left out: any text. */
  responseSnippet?: string;
  attempts: number;
  /** The number of calls of the receiver. */
  calls: number;
  triesLeft: number;
  /** Seconds from the last attempt to the next, at least and at most; null when there is none. */
  nextInSeconds: readonly [number, number] | null;
  health: 'healthy' | 'paused';
}

/** The schedule of every row: after a first try nothing more happens during the test, except after a 429. */
export const retryScheduleSeconds = [0, 1000, 2000];

/** The second try, 20 % earlier or later. */
export const afterSchedule: readonly [number, number] = [800, 1200];

type More = Partial<Expected>;

export const delivered = (responseCode: number, more: More = {}): Expected => ({
  failure: null,
  responseCode,
  attempts: 1,
  calls: 1,
  triesLeft: 0,
  nextInSeconds: null,
  health: 'healthy',
  ...more,
});

/** Failed before an answer came. */
export const failed = (failure: NonNullable<Delivery['failure']>, more: More = {}): Expected => ({
  ...delivered(0),
  failure,
  responseCode: null,
  triesLeft: 2,
  nextInSeconds: afterSchedule,
  ...more,
});

/** Answered, but not with 2xx. */
export const refused = (responseCode: number, more: More = {}): Expected =>
  failed('http_status', { responseCode, ...more });

/** Answered with 429, so no try is spent. */
export const putOff = (more: More = {}): Expected => refused(429, { triesLeft: 3, ...more });
