import { findAddresses, findClicks, findHistories, type Click, type PersonHistory } from '@service/attendees';
import type { AccountQueries } from '@service/database';
import { z } from 'zod';
import type { Credit, MatchKind, PurchaseFacts, Touch } from '../credit.ts';
import { attribute, lastTouchTime, missingReason, type Buyer } from './attribute.ts';
import { findWindows } from './windows.ts';

/**
 * A credit for each purchase, in their order, in seven statements for any number of purchases. Writes nothing. A caller that stores
 * the credits has locked the ledger of the account, so that the windows do not change meanwhile.
 */
export async function creditPurchases(
  reader: AccountQueries,
  purchases: readonly PurchaseFacts[],
): Promise<Credit[]> {
  if (purchases.length === 0) return [];
  const buyers = await findBuyers(reader, purchases);
  const windows = await findWindows(
    reader,
    buyers.flatMap((buyer) => buyer?.touches ?? []),
  );
  return purchases.map((purchase, index) =>
    isErased(purchase) ? purchase.previous : attribute(purchase, buyers[index], windows),
  );
}

/** The buyer of a purchase with a credit was erased: nothing names them any more, and the purchase keeps its credit. */
const isErased = (purchase: PurchaseFacts): purchase is PurchaseFacts & { previous: Credit } =>
  purchase.previous !== undefined &&
  purchase.previous.level !== 'unattributed' &&
  missingReason(purchase) === 'no_email';

interface Match {
  matchedBy: MatchKind;
  email: string;
  /** The click that the purchase names. */
  click: Click | undefined;
}

/**
 * The buyer of each purchase with their touches, in the order of `purchases`; undefined when a purchase matches no
 * registration of the account. Five statements for any number of purchases. An id of another account is like an unknown one.
 */
async function findBuyers(
  reader: AccountQueries,
  purchases: readonly PurchaseFacts[],
): Promise<(Buyer | undefined)[]> {
  const clickIds = purchases.flatMap(({ clickId }) => idOf(clickId) ?? []);
  const clicks = new Map((await findClicks(reader, clickIds)).map((click) => [click.id, click]));
  const named = purchases.flatMap((purchase) => [
    ...(registrationOfClick(purchase, clicks) ?? []),
    ...(idOf(purchase.registrationId) ?? []),
  ]);
  const addresses = await findAddresses(reader, named);
  const matches = purchases.map((purchase) => matchOf(purchase, clicks, addresses));
  const histories = await loadHistories(reader, purchases, matches);
  return purchases.map(({ previous, occurredAt }, index) => {
    const history = histories[index];
    const match = matches[index];
    if (!match || !history || history.registrations.length === 0) return undefined;
    const touches = historyToTouches(history, { named: match.click, occurredAt });
    return {
      matchedBy: match.matchedBy,
      touches: previous ? [...touches, ...deletedClicks(previous, touches)] : touches,
      isCut: history.hasOlder,
    };
  });
}

/** Providers pass on any text in these fields. */
const idOf = (value: string | null): [string] | undefined => {
  const { data } = z.uuid().safeParse(value);
  return data === undefined ? undefined : [data.toLowerCase()];
};

/** A click that was deleted with old events is still known from the credit that it led to. */
function registrationOfClick(
  { clickId, previous }: PurchaseFacts,
  clicks: ReadonlyMap<string, Click>,
): [string] | undefined {
  const click = clicks.get(idOf(clickId)?.[0] ?? '');
  if (click) return [click.registrationId];
  return previous?.matchedBy === 'click_id' && previous.registrationId
    ? [previous.registrationId]
    : undefined;
}

function matchOf(
  purchase: PurchaseFacts,
  clicks: ReadonlyMap<string, Click>,
  addresses: ReadonlyMap<string, string>,
): Match | undefined {
  const click = clicks.get(idOf(purchase.clickId)?.[0] ?? '');
  const byClick = addresses.get(registrationOfClick(purchase, clicks)?.[0] ?? '');
  if (byClick !== undefined) return { matchedBy: 'click_id', email: byClick, click };
  const byRegistration = addresses.get(idOf(purchase.registrationId)?.[0] ?? '');
  if (byRegistration !== undefined)
    return { matchedBy: 'registration_id', email: byRegistration, click: undefined };
  const { email } = purchase;
  return email === null ? undefined : { matchedBy: 'email', email, click: undefined };
}

/** In the order of `purchases`; undefined for those without a match. */
async function loadHistories(
  reader: AccountQueries,
  purchases: readonly PurchaseFacts[],
  matches: readonly (Match | undefined)[],
): Promise<(PersonHistory | undefined)[]> {
  const wanted = matches.flatMap((match, index) => {
    const until = lastTouchTime(purchases[index]!.occurredAt);
    return match ? [{ index, email: match.email, until }] : [];
  });
  const found = await findHistories(reader, wanted);
  const byIndex = new Map(wanted.map(({ index }, position) => [index, found[position]]));
  return purchases.map((_purchase, index) => byIndex.get(index));
}

/** Every registration, join and offer click of a person. */
export function historyToTouches(
  { registrations }: PersonHistory,
  { named, occurredAt }: { named: Click | undefined; occurredAt: Date },
): Touch[] {
  return registrations.flatMap((registration) => {
    const { id, sessionId, webinarId, utmSource, registeredAt, firstJoinedAt, cancelledAt } = registration;
    const isCancelled = cancelledAt !== null && cancelledAt <= occurredAt && firstJoinedAt === null;
    const shared = { registrationId: id, sessionId, webinarId, utmSource };
    const plain = { ...shared, interactionId: null, isNamed: false };
    const clicks = registration.offerClicks.map((click) => ({ ...click, isNamed: click.id === named?.id }));
    if (named?.registrationId === id && named.offerId && !clicks.some(({ isNamed }) => isNamed))
      clicks.push({ id: named.id, offerId: named.offerId, at: named.at, isNamed: true });
    return [
      { ...plain, level: 'registered' as const, at: registeredAt, ...(isCancelled && { isCancelled }) },
      ...(firstJoinedAt ? [{ ...plain, level: 'attended' as const, at: firstJoinedAt }] : []),
      ...clicks.map(({ offerId, at, isNamed }) => ({
        ...shared,
        level: 'offer_click' as const,
        at,
        interactionId: offerId,
        isNamed,
      })),
    ];
  });
}

/** The offer clicks of the credit until now that are no longer among the events. */
function deletedClicks(previous: Credit, loaded: readonly Touch[]): Touch[] {
  const known = new Set(loaded.map(clickKey));
  return storedTouches(previous).filter(
    (touch) => touch.level === 'offer_click' && !known.has(clickKey(touch)),
  );
}

const clickKey = ({ registrationId, interactionId, at }: Touch): string =>
  [registrationId, interactionId, at.getTime()].join(' ');

/** The touches that a stored credit names: the one that got it, and those that lost. */
export function storedTouches(credit: Credit): Touch[] {
  const { level, touchAt, registrationId, sessionId, webinarId, interactionId, utmSource } = credit;
  const lost = credit.considered.touches.map(({ at, ...touch }) => ({ ...touch, at: new Date(at) }));
  if (level === 'unattributed' || !touchAt || !registrationId || !sessionId || !webinarId) return lost;
  const { isNamed } = credit.considered;
  const winner = {
    level,
    at: touchAt,
    registrationId,
    sessionId,
    webinarId,
    interactionId,
    utmSource,
    isNamed,
  };
  return [winner, ...lost];
}
