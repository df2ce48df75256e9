import { mapInTurns, type AccountReader } from '@service/database';
import { id, instant } from '@service/trpc';
import { sumMinor } from '@service/trpc/fields';
import { loadWebinars, nameInteractions } from '@service/webinars';
import { z } from 'zod';
import { creditLevel, type Credit } from '../credit.ts';
import { attribute, type Windows } from './attribute.ts';
import { findDecisions } from './credit-decision.ts';
import { storedTouches } from './credit-purchases.ts';
import { hasMoved } from './credit-run.ts';
import { readNewestPurchases, type StoredPurchase } from './stored-purchases.ts';
import { findWindows } from './windows.ts';

/** The newest purchases are compared, because a preview has to answer within a second or two. */
const comparedMax = 5000;

const shownMax = 50;

const sums = {
  currency: z.string().describe('ISO 4217, in upper case.'),
  purchases: z.int().describe('The number of purchases.'),
  grossMinor: sumMinor().describe('The amounts of the purchases, in minor units of the currency.'),
  netMinor: sumMinor().describe('The same without what was refunded and charged back.'),
};

const Place = z
  .object({
    level: creditLevel,
    webinarId: id('webinar').nullable().describe('The webinar that has the credit. Null without one.'),
    webinarTitle: z.string().nullable().describe('The title of the webinar. Null without one.'),
    interactionId: id('offer').nullable().describe('The offer that has the credit. Null without one.'),
    offerTitle: z.string().nullable().describe('The internal name of the offer. Null without one.'),
  })
  .meta({ id: 'CreditPlace' });

export const WindowPreviewOutput = z
  .object({
    credits: z.int().describe('Purchases whose credit would move, renewals included.'),
    compared: z.int().describe('Purchases that were compared: the newest, at most 5,000.'),
    comparedSince: instant()
      .nullable()
      .describe(
        'The time of the oldest compared purchase, when there are older ones. Null when all were compared.',
      ),
    totals: z
      .array(z.object(sums).meta({ id: 'MovedCredits' }))
      .describe('Everything that would move, by currency.'),
    moves: z
      .array(
        z
          .object({
            ...sums,
            from: Place.describe('The credit now.'),
            to: Place.describe('The credit after the change.'),
          })
          .meta({ id: 'CreditMove' }),
      )
      .describe('The largest moves, at most 50, by the number of purchases.'),
    moreMoves: z.int().describe('Moves that are not in `moves`.'),
  })
  .meta({ id: 'WindowPreview' });

type Preview = z.input<typeof WindowPreviewOutput>;
type PlaceOf = z.input<typeof Place>;

export interface WindowChange {
  /** Of this webinar. Undefined: of the workspace. */
  webinarId?: string | undefined;
  /** Null, only for a webinar: the window of the workspace. */
  windowDays: number | null;
}

interface Move {
  purchase: StoredPurchase;
  credit: Credit;
}

/**
 * Finds the purchases that would get another credit with another window. It compares the touches that are stored with the credits, so it reads
 * no events and takes the same time for any number of them.
 */
export async function previewWindow(reader: AccountReader, change: WindowChange): Promise<Preview> {
  const rows = await readNewestPurchases(reader, comparedMax + 1);
  const purchases = rows.slice(0, comparedMax);
  const windows = await changedWindows(reader, purchases, change);
  const decisions = await findDecisions(
    reader,
    purchases.map(({ id }) => id),
  );
  const derived = await mapInTurns(purchases, (purchase) => ({
    purchase,
    credit: decisions.has(purchase.id) ? purchase.previous : attributeStored(purchase, windows),
  }));
  const credits = new Map(derived.map(({ purchase, credit }) => [purchase.id, credit]));
  // A renewal has the credit of its first payment. One whose first payment is not compared stays as it is.
  const compared = derived.map(({ purchase, credit }) => ({
    purchase,
    credit: credits.get(purchase.previous.renewalOf ?? '') ?? credit,
  }));
  const moved = compared.filter(({ purchase, credit }) => hasMoved(purchase.previous, credit));
  const groups = [...Map.groupBy(moved, moveKey).values()].toSorted(
    (one, other) => other.length - one.length,
  );
  const titles = await findTitles(reader, groups.slice(0, shownMax));
  return {
    credits: moved.length,
    compared: purchases.length,
    comparedSince: rows.length > comparedMax ? purchases.at(-1)!.occurredAt.toISOString() : null,
    totals: [...Map.groupBy(moved, ({ purchase }) => purchase.currency).values()].map(sumOf),
    moves: groups.slice(0, shownMax).map((group) => ({
      ...sumOf(group),
      from: placeOf(group[0]!.purchase.previous, titles),
      to: placeOf(group[0]!.credit, titles),
    })),
    moreMoves: Math.max(0, groups.length - shownMax),
  };
}

async function changedWindows(
  reader: AccountReader,
  purchases: readonly StoredPurchase[],
  { webinarId, windowDays }: WindowChange,
): Promise<Windows> {
  const touches = purchases.flatMap(({ previous }) => storedTouches(previous));
  const { defaultDays, daysByWebinar } = await findWindows(reader, touches);
  if (webinarId === undefined) return { defaultDays: windowDays ?? defaultDays, daysByWebinar };
  daysByWebinar.set(webinarId, windowDays ?? defaultDays);
  return { defaultDays, daysByWebinar };
}

/** A credit without any touch stays as it is, and so does that of a renewal. */
function attributeStored(purchase: StoredPurchase, windows: Windows): Credit {
  const touches = storedTouches(purchase.previous);
  if (touches.length === 0 || purchase.previous.renewalOf !== null) return purchase.previous;
  const { matchedBy, considered } = purchase.previous;
  return attribute(purchase, { matchedBy: matchedBy ?? 'email', touches, isCut: considered.isCut }, windows);
}

const moveKey = ({ purchase: { currency, previous }, credit }: Move): string =>
  [currency, placeKey(previous), placeKey(credit)].join(' ');

const placeKey = ({ level, webinarId, interactionId }: Credit): string =>
  [level, webinarId, interactionId].join(':');

function sumOf(moves: readonly Move[]) {
  const purchases = moves.map(({ purchase }) => purchase);
  return {
    currency: purchases[0]!.currency,
    purchases: purchases.length,
    grossMinor: purchases.reduce((sum, { amountMinor }) => sum + amountMinor, 0),
    netMinor: purchases.reduce((sum, { netMinor }) => sum + netMinor, 0),
  };
}

const placeOf = (
  { level, webinarId, interactionId }: Credit,
  titles: ReadonlyMap<string, string>,
): PlaceOf => ({
  level,
  webinarId,
  webinarTitle: titles.get(webinarId ?? '') ?? null,
  interactionId,
  offerTitle: titles.get(interactionId ?? '') ?? null,
});

/** Titles of webinars and internal names of offers, by id. */
async function findTitles(
  reader: AccountReader,
  groups: readonly (readonly Move[])[],
): Promise<Map<string, string>> {
  const { query, accountId } = reader;
  const credits = groups.flatMap(([move]) => (move ? [move.purchase.previous, move.credit] : []));
  const webinarIds = new Set(credits.flatMap(({ webinarId }) => webinarId ?? []));
  const offerIds = new Set(credits.flatMap(({ interactionId }) => interactionId ?? []));
  const [webinars, offers] = await Promise.all([
    loadWebinars(
      query,
      [...webinarIds].map((id) => ({ accountId, id })),
    ),
    nameInteractions(reader, [...offerIds]),
  ]);
  const titles = new Map([...webinars].map(([id, { title }]) => [id, title]));
  for (const [id, { internalName }] of offers) titles.set(id, internalName);
  return titles;
}
