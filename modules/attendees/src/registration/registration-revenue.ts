// The revenue of registrations. The module revenue imports this one, so its sums come in through a part of the composition, and it
// reports purchases by calling `setPurchased`.
import { statement, type AccountReader, type AccountWriter } from '@service/database';
import { commonErrors } from '@service/errors';
import { mayRead, type Principal } from '@service/trpc';
import { sumMinor } from '@service/trpc/fields';
import { z } from 'zod';
import type { AttendeeEventType } from '../event/attendee-event-types.ts';

export const RegistrationRevenue = z
  .object({
    currency: z.string().describe('ISO 4217, in upper case.'),
    netMinor: sumMinor().describe('Purchases minus refunds and chargebacks, in minor units of the currency.'),
  })
  .meta({ id: 'RegistrationRevenue' });

export type Revenues = ReadonlyMap<string, z.input<typeof RegistrationRevenue>[]>;

/** Reads the net revenue of registrations, one entry for each currency, by registration id. Those without revenue are left out. */
export type RevenueReader = (
  reader: Pick<AccountReader, 'query' | 'accountId'>,
  registrationIds: readonly string[],
) => Promise<Revenues>;

export const mayReadRevenue = (principal: Principal): boolean => mayRead(principal, 'revenue:read');

/** Throws validation_failed for the filter `purchased` of a principal who may not read revenue. */
export function checkPurchasedFilter(
  principal: Principal,
  { purchased }: { purchased?: boolean | undefined },
): void {
  if (purchased === undefined || mayReadRevenue(principal)) return;
  throw commonErrors.validation_failed({
    issues: [{ path: 'purchased', message: 'Needs the scope revenue:read.' }],
  });
}

/** The events whose data has amounts. */
export const revenueEventTypes = ['purchase', 'refund'] as const satisfies readonly AttendeeEventType[];

/** Undefined, without reading anything, for a principal who may not read revenue. */
export const readRevenueFor =
  (principal: Principal, readRevenue: RevenueReader) =>
  async (
    reader: Pick<AccountReader, 'query' | 'accountId'>,
    registrationIds: readonly string[],
  ): Promise<Revenues | undefined> =>
    mayReadRevenue(principal) ? readRevenue(reader, registrationIds) : undefined;

const updatePurchased = statement({
  name: 'attendees.set_purchased',
  text: `
    with locked as (
      select r.id, changed.purchased
      from attendees.registration r join unnest($2::uuid[], $3::boolean[]) as changed (id, purchased) on changed.id = r.id
      where r.account_id = $1 and r.purchased <> changed.purchased
      order by r.session_id, r.email for no key update of r
    )
    update attendees.registration r set purchased = locked.purchased
    from locked where r.account_id = $1 and r.id = locked.id`,
});

/**
 * Sets whether a purchase is credited to each registration, for filters and conditions. Rows are locked in the order in which bulk
 * calls lock them, so that no two transactions wait for each other. Ids that do not exist or belong to another account are left out.
 */
export async function setPurchased(
  { query, accountId }: Pick<AccountWriter, 'query' | 'accountId'>,
  purchasedById: ReadonlyMap<string, boolean>,
): Promise<void> {
  if (purchasedById.size === 0) return;
  await query(updatePurchased, [accountId, [...purchasedById.keys()], [...purchasedById.values()]]);
}
