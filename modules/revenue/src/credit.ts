// The result of attribution. The ledger stores a `Credit` in each row of `revenue.credit`, and reports read it from there.
import { z } from 'zod';

/** The kinds of touches, the strongest first. Inside the window a stronger one wins, also when it is older. */
export const touchLevels = ['offer_click', 'attended', 'registered'] as const;

export type TouchLevel = (typeof touchLevels)[number];

export const creditLevels = [...touchLevels, 'unattributed'] as const;

export const creditLevel = z.enum(creditLevels).meta({
  id: 'CreditLevel',
  description:
    'The touch that got the credit: the last click on an offer, else the last attended session, else the last registration, each ' +
    'within the attribution window. `unattributed` when there is none.',
});

export type CreditLevel = (typeof creditLevels)[number];

/** The value that a purchase and a person have in common, in the order in which they are tried. */
export const matchKinds = ['click_id', 'registration_id', 'email'] as const;

export type MatchKind = (typeof matchKinds)[number];

/**
 * Reasons for a row without a credit. `unpaired` is for refunds and chargebacks whose purchase is not known yet, `waiting` for
 * reversals whose refund or chargeback is not known yet.
 */
export const unattributedReasons = [
  'no_email',
  'no_match',
  'outside_window',
  'touch_after_purchase',
  'cancelled',
  'unpaired',
  'waiting',
] as const;

export type UnattributedReason = (typeof unattributedReasons)[number];

/** The reasons in answers. The ledger stores no credit that an owner took away as `no_match`, beside their decision. */
export const shownReasons = [...unattributedReasons, 'taken_away'] as const;

export type ShownReason = (typeof shownReasons)[number];

/** Reasons why a touch did not get the credit. */
export const lossReasons = [
  'outside_window',
  'after_purchase',
  'cancelled',
  'earlier_touch',
  'weaker_level',
  'other_click_named',
] as const;

export type LossReason = (typeof lossReasons)[number];

/** One thing that a person did in a webinar. */
export interface Touch {
  level: TouchLevel;
  at: Date;
  registrationId: string;
  sessionId: string;
  webinarId: string;
  /** The offer of an offer click. Null for the other levels. */
  interactionId: string | null;
  /** `utm_source` of the registration. */
  utmSource: string | null;
  /** True for the click that the purchase's click id names. */
  isNamed: boolean;
  /** True if the registration was cancelled before the purchase, by a person who never joined. */
  isCancelled?: boolean | undefined;
}

/** A touch that did not get the credit, as it is stored. */
export interface LostTouch extends Omit<Touch, 'at'> {
  /** ISO 8601, UTC. */
  at: string;
  /** The window of the touch's webinar. */
  windowDays: number;
  lost: LossReason;
}

/** The touches that lost, the strongest and newest first. */
export interface Considered {
  /** At most `consideredMax`. */
  touches: LostTouch[];
  /** Touches that were compared and that `touches` has no room for. */
  moreCount: number;
  /** True if the person has more registrations than were compared, which are the newest 200. */
  isCut: boolean;
  /** True if the credited touch is the click that the purchase's click id names. */
  isNamed: boolean;
}

export const consideredMax = 20;

export const nothingConsidered: Considered = { touches: [], moreCount: 0, isCut: false, isNamed: false };

/** Ids, `utmSource`, `matchedBy` and `touchAt` are null when the level is `unattributed`; `reason` is null for the other levels. */
export interface Credit {
  level: CreditLevel;
  matchedBy: MatchKind | null;
  reason: UnattributedReason | null;
  registrationId: string | null;
  sessionId: string | null;
  webinarId: string | null;
  interactionId: string | null;
  utmSource: string | null;
  touchAt: Date | null;
  /** The first payment of the subscription, when the credit is inherited from it. */
  renewalOf: string | null;
  /** The window of the credited touch's webinar. Of the workspace when there is none. */
  windowDays: number;
  considered: Considered;
}

/** The fields of a credit without a registration. */
export const noTouch = {
  level: 'unattributed',
  matchedBy: null,
  registrationId: null,
  sessionId: null,
  webinarId: null,
  interactionId: null,
  utmSource: null,
  touchAt: null,
  renewalOf: null,
} as const satisfies Partial<Credit>;

/** The fields of a purchase that attribution reads. */
export interface PurchaseFacts {
  /** The id of the purchase's revenue event. */
  id: string;
  /** Trimmed and in lower case, like the addresses of registrations. */
  email: string | null;
  occurredAt: Date;
  /** The id of the `cta_click` event, which the offer's link carried as `svc_click`. */
  clickId: string | null;
  registrationId: string | null;
  /** The credit until now, when it is derived again. Clicks that were deleted with old events are taken from it. */
  previous?: Credit | undefined;
}

/** A row of the ledger whose credit got a registration for the first time. */
export interface CreditedEvent {
  revenueEventId: string;
  paymentId: string;
  type:
    | 'purchase'
    | 'refund'
    | 'chargeback'
    | 'refund_reversal'
    | 'chargeback_reversal'
    | 'purchase_reversal';
  amountMinor: number;
  currency: string;
  occurredAt: Date;
  credit: Pick<Credit, 'level' | 'matchedBy' | 'registrationId' | 'interactionId'>;
  /** Until then it is not published, because an invoice may still join its payment. */
  postponedUntil: Date | null;
}

/** A payment after it was described again. */
export interface SettledPayment {
  id: string;
  /** The payments of the ledger that it was before. */
  formerIds: readonly string[];
  /** Those of them whose purchase had a registration. It was published, unless it is postponed. */
  creditedIds: readonly string[];
  /** Null when nothing can join it any more. */
  postponedUntil: Date | null;
}
