// The revenue of registrations. The module revenue imports this one, so its sums come in through a part of the composition, and it
// reports purchases by calling `setPurchased`.
import type { AccountReader } from '@service/database';
import { commonErrors } from '@service/errors';
import { mayRead, type Principal } from '@service/trpc';
import { sumMinor } from '@service/trpc/fields';
import { z } from 'zod';
import type { AttendeeEventType } from '../entities/attendee-event.ts';

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
export const purchaseEventTypes = ['purchase', 'refund'] as const satisfies readonly AttendeeEventType[];

/** Undefined, without reading anything, for a principal who may not read revenue. */
export const readRevenueFor =
  (principal: Principal, readRevenue: RevenueReader) =>
  async (
    reader: Pick<AccountReader, 'query' | 'accountId'>,
    registrationIds: readonly string[],
  ): Promise<Revenues | undefined> =>
    mayReadRevenue(principal) ? readRevenue(reader, registrationIds) : undefined;
