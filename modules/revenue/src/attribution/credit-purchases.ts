import type { AccountReader } from '@service/database';
import type { Credit, PurchaseFacts } from '../credit.ts';
import { attribute } from './attribute.ts';
import { findBuyers } from './find-buyers.ts';
import { findWindows } from './windows.ts';

/**
 * A credit for each purchase, in their order, in seven statements for any number of purchases. Writes nothing. A caller that stores
 * the credits has locked the ledger of the account, so that the windows do not change meanwhile.
 */
export async function creditPurchases(
  reader: Pick<AccountReader, 'query' | 'accountId'>,
  purchases: readonly PurchaseFacts[],
): Promise<Credit[]> {
  if (purchases.length === 0) return [];
  const buyers = await findBuyers(reader, purchases);
  const windows = await findWindows(reader, buyers);
  return purchases.map((purchase, index) => attribute(purchase, buyers[index], windows));
}
