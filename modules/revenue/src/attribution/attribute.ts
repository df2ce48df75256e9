// The rule of attribution. The first value that a purchase and a registration have in common finds the person: the click id, else
// the registration id, else the e-mail address. The last touch of the person inside the window gets the credit: an offer click,
// else a joined session, else a registration. The click that the purchase names wins over other offer clicks.
import {
  consideredMax,
  noTouch,
  nothingConsidered,
  touchLevels,
  type Considered,
  type Credit,
  type LossReason,
  type MatchKind,
  type PurchaseFacts,
  type Touch,
  type UnattributedReason,
} from '../credit.ts';

/** The person that a purchase belongs to, with everything that they did. */
export interface Buyer {
  matchedBy: MatchKind;
  touches: readonly Touch[];
  /** True if the person has more registrations than were read. */
  isCut: boolean;
}

export interface Windows {
  /** Days of the workspace. */
  defaultDays: number;
  /** Days of the webinars that have a window of their own. */
  daysByWebinar: ReadonlyMap<string, number>;
}

interface Judged {
  touch: Touch;
  windowDays: number;
  /** Undefined if the touch can get the credit. */
  excluded: 'outside_window' | 'after_purchase' | 'cancelled' | undefined;
}

const daySeconds = 86_400;

/** The clocks of the shop and of this service may differ, so a touch counts up to five minutes after the purchase. */
const toleranceSeconds = 300;

export const toleranceMinutes = toleranceSeconds / 60;

/** Later touches of a purchase never count. */
export const lastTouchTime = (occurredAt: Date): Date =>
  new Date(occurredAt.getTime() + (toleranceSeconds + 1) * 1000 - 1);

/** Whole seconds from the purchase to the touch, negative before the purchase. Times of providers have no milliseconds. */
export const secondsAfter = (occurredAt: Date, touchAt: Date): number =>
  Math.trunc((touchAt.getTime() - occurredAt.getTime()) / 1000);

/** Credits a purchase. `buyer` is undefined when the purchase matches no registration. */
export function attribute(purchase: PurchaseFacts, buyer: Buyer | undefined, windows: Windows): Credit {
  if (!buyer) return unattributed(missingReason(purchase), windows.defaultDays, nothingConsidered);
  const judged = buyer.touches
    .map((touch) => judge(touch, purchase, windows))
    .toSorted((one, other) => compareTouches(one.touch, other.touch));
  const eligible = judged.filter(({ excluded }) => excluded === undefined);
  const winner = eligible.find(({ touch }) => touch.isNamed) ?? eligible[0];
  const considered = listLosers(judged, winner, buyer.isCut);
  if (!winner) return unattributed(exclusionReason(judged), windows.defaultDays, considered);
  const { touch, windowDays } = winner;
  const { level, registrationId, sessionId, webinarId, interactionId, utmSource, at: touchAt } = touch;
  const credited = { level, registrationId, sessionId, webinarId, interactionId, utmSource, touchAt };
  return { ...credited, matchedBy: buyer.matchedBy, reason: null, renewalOf: null, windowDays, considered };
}

/** A credit without a registration. */
export const unattributed = (
  reason: UnattributedReason,
  windowDays: number,
  considered: Considered,
): Credit => ({
  ...noTouch,
  reason,
  windowDays,
  considered,
});

export const missingReason = ({ email, clickId, registrationId }: PurchaseFacts): UnattributedReason =>
  email === null && clickId === null && registrationId === null ? 'no_email' : 'no_match';

/** With touches of several kinds, a longer window may help, so that is named first. */
function exclusionReason(judged: readonly Judged[]): UnattributedReason {
  const isAny = (reason: Judged['excluded']): boolean => judged.some(({ excluded }) => excluded === reason);
  if (isAny('outside_window')) return 'outside_window';
  return isAny('cancelled') ? 'cancelled' : 'touch_after_purchase';
}

/** Both ends belong to the window: a touch exactly 30 days before the purchase, to the second, counts in a window of 30 days. */
function judge(touch: Touch, { occurredAt }: PurchaseFacts, windows: Windows): Judged {
  const windowDays = windows.daysByWebinar.get(touch.webinarId) ?? windows.defaultDays;
  const seconds = secondsAfter(occurredAt, touch.at);
  if (seconds > toleranceSeconds) return { touch, windowDays, excluded: 'after_purchase' };
  if (touch.isCancelled) return { touch, windowDays, excluded: 'cancelled' };
  return { touch, windowDays, excluded: -seconds > windowDays * daySeconds ? 'outside_window' : undefined };
}

/** The strongest first, then the newest. Ids make the order of simultaneous touches the same each time. */
export const compareTouches = (one: Touch, other: Touch): number =>
  touchLevels.indexOf(one.level) - touchLevels.indexOf(other.level) ||
  other.at.getTime() - one.at.getTime() ||
  other.registrationId.localeCompare(one.registrationId) ||
  (other.interactionId ?? '').localeCompare(one.interactionId ?? '');

function listLosers(judged: readonly Judged[], winner: Judged | undefined, isCut: boolean): Considered {
  const losers = judged.filter((one) => one !== winner);
  const touches = losers.slice(0, consideredMax).map((one) => ({
    ...one.touch,
    at: one.touch.at.toISOString(),
    windowDays: one.windowDays,
    lost: one.excluded ?? lossTo(winner!.touch, one.touch),
  }));
  return {
    touches,
    moreCount: losers.length - touches.length,
    isCut,
    isNamed: winner?.touch.isNamed ?? false,
  };
}

/** The reason why a touch inside the window lost to the credited one. */
function lossTo(winner: Touch, loser: Touch): LossReason {
  if (winner.level !== loser.level) return 'weaker_level';
  return winner.isNamed && loser.at > winner.at ? 'other_click_named' : 'earlier_touch';
}
