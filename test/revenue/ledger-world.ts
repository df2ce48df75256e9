// The ledger of one account on a real database, with the real attribution.
import { serviceEntities } from '@service/composition';
import { accountWriter, openDatabase, type Database } from '@service/database';
import { createAttribution, recordFacts, type Recorded, type RevenueFact } from '@service/revenue';
import { createClockWorld, once, silent } from '../attendees/clock-world.ts';

/** The time of the registrations. Purchases of the next 30 days are credited to them. */
export const registeredAt = '2027-03-01T09:00:00Z';

/** A time on the day after the registrations, at this second. */
export const at = (second: number): Date => new Date(Date.parse('2027-03-02T00:00:00Z') + second * 1000);

export const purchase = (objectId: string, fields: Partial<RevenueFact> = {}): RevenueFact =>
  factOf('purchase', objectId, { amountMinor: 1000, paymentKeys: [objectId], ...fields });

export const refund = (objectId: string, fields: Partial<RevenueFact> = {}): RevenueFact =>
  factOf('refund', objectId, { amountMinor: -1000, ...fields });

export const chargeback = (objectId: string, fields: Partial<RevenueFact> = {}): RevenueFact =>
  factOf('chargeback', objectId, { amountMinor: -1000, ...fields });

/** The reversal of a refund or chargeback. */
export const reversal = ({ type, objectId, ...target }: RevenueFact): RevenueFact => ({
  ...target,
  type: type === 'refund' ? 'refund_reversal' : 'chargeback_reversal',
  eventId: `${objectId} reversed`,
  objectId,
  reverses: objectId,
  amountMinor: 0 - target.amountMinor,
});

const factOf = (type: RevenueFact['type'], objectId: string, fields: Partial<RevenueFact>): RevenueFact => ({
  provider: 'generic',
  eventId: objectId,
  objectId,
  type,
  email: 'ada@example.com',
  amountMinor: 0,
  currency: 'EUR',
  occurredAt: at(0),
  paymentKeys: [],
  clickId: null,
  registrationId: null,
  ...fields,
});

export async function createLedgerWorld() {
  const world = await createClockWorld();
  const { accountId, url } = world;
  const attribution = createAttribution({ subscriber: silent });
  const second = await openDatabase({ url, entities: serviceEntities, name: 'test' });

  const record = (
    facts: readonly RevenueFact[],
    { database = world.database, of = accountId }: { database?: Database; of?: string } = {},
  ): Promise<Recorded[]> =>
    database
      .ofAccount(of)
      .transaction((tx) =>
        recordFacts(accountWriter(tx, { accountId: of, now: new Date() }), facts, attribution),
      );

  return {
    ...world,
    attribution,
    /** Records facts in one transaction. */
    record,
    /** Records facts one by one. */
    async recordEach(facts: readonly RevenueFact[]): Promise<void> {
      for (const fact of facts) await record([fact]);
    },
    /** The same database over other connections, as another process has them. */
    second,
    /** Registers people, by name, for a webinar of the account. Returns their registrations' ids. */
    async registerAll(...names: string[]): Promise<string[]> {
      const startsAt = '2027-03-01T12:00:00Z';
      const webinarId = await world.publish(registeredAt, { schedule: once(startsAt) });
      const ids: string[] = [];
      for (const name of names)
        ids.push((await world.register(registeredAt, { webinarId, sessionTime: startsAt, name })).id);
      return ids;
    },
    async [Symbol.asyncDispose]() {
      await second.close();
      await world[Symbol.asyncDispose]();
    },
  };
}

export type LedgerWorld = Awaited<ReturnType<typeof createLedgerWorld>>;
