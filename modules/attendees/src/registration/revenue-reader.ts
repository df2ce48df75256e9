// The revenue of registrations. The module revenue imports this one, so its sums come in through a part of the composition, and it
// reports purchases by calling `setPurchased`.
import type { AccountReader } from '@service/database';
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

/** The scopes that a list needs beside its own: the filter `purchased` shows who bought something. The input may not have been validated. */
export const scopesOfFilter = ({ purchased }: { purchased?: unknown }) =>
  purchased === undefined ? [] : (['revenue:read'] as const);

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
