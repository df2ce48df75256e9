// Decides whether an attendee buys, and how the purchase goes on.
import type { Random } from '../random.ts';

export const fates = [
  'kept',
  'refunded',
  'partly refunded',
  'refund failed',
  'dispute lost',
  'dispute won',
] as const;
export type Fate = (typeof fates)[number];

export interface PurchasePlan {
  /** Buys after a click on the offer, or after the session without a click. */
  buys: { afterClick: boolean; afterSession: boolean };
  door: 'generic' | 'stripe';
  /** The field by which the shop names the buyer. Without a click the shop has no click id, and uses the e-mail address. */
  names: 'click' | 'registration' | 'email';
  /** Pays with another e-mail address than the registration's. Only where the shop names the buyer by an id. */
  hasOtherEmail: boolean;
  fate: Fate;
  price: Price;
  /** The first event arrives after the session, as after an outage of the provider. */
  isLate: boolean;
}

interface Price {
  currency: string;
  amountMinor: number;
}

export const purchaseShares = {
  afterClick: 0.6,
  afterSession: 0.12,
  otherEmail: 0.3,
  late: 0.3,
} as const;

/** JPY has no minor unit and KWD has three digits, so that a factor of 100 would show. */
const prices: readonly Price[] = [
  { currency: 'EUR', amountMinor: 7900 },
  { currency: 'EUR', amountMinor: 6320 },
  { currency: 'USD', amountMinor: 8500 },
  { currency: 'JPY', amountMinor: 12_000 },
  { currency: 'KWD', amountMinor: 25_500 },
];

/** The generic payload has no type that takes a refund or a chargeback back. */
const genericFates: readonly Fate[] = ['kept', 'kept', 'refunded', 'partly refunded', 'dispute lost'];
const stripeFates: readonly Fate[] = ['kept', 'kept', ...fates];

export function planPurchase(random: Random): PurchasePlan {
  const door = random.pick(['generic', 'stripe'] as const);
  const names = random.pick(['click', 'click', 'registration', 'email'] as const);
  return {
    buys: {
      afterClick: random.chance(purchaseShares.afterClick),
      afterSession: random.chance(purchaseShares.afterSession),
    },
    door,
    names,
    hasOtherEmail: names !== 'email' && random.chance(purchaseShares.otherEmail),
    fate: random.pick(door === 'generic' ? genericFates : stripeFates),
    price: random.pick(prices),
    isLate: random.chance(purchaseShares.late),
  };
}
