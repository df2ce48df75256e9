import { replaceCredits, type Credit } from '@service/revenue';
import { expect, test } from 'vitest';
import { writeAs } from '../support/factories.ts';
import { expectSums } from './ledger-reads.ts';
import { at, createLedgerWorld, purchase, refund, type LedgerWorld } from './ledger-world.ts';

const replace = ({ database, accountId }: LedgerWorld, paymentId: string, credit: Credit) =>
  writeAs(database, accountId, (tx) => replaceCredits(tx, [{ paymentId, credit }]));

const levels = ({ query }: LedgerWorld) =>
  query(
    `select e.object_id, c.level, c.registration_id from revenue.revenue_event e join revenue.credit c on c.id = e.id
     order by e.object_id`,
  );

test('a new credit of a payment is that of its refunds too, and moves the totals', async () => {
  await using world = await createLedgerWorld();
  const [registrationId] = await world.registerAll('ada');
  const stranger = { email: 'stranger@example.com' };
  const [{ id } = { id: '' }] = await world.record([
    purchase('p1', stranger),
    refund('p1 refund', { ...stranger, amountMinor: -100, occurredAt: at(60) }),
    purchase('p2', { ...stranger, occurredAt: at(90) }),
  ]);
  const none: Credit = {
    level: 'unattributed',
    matchedBy: null,
    reason: 'no_match',
    registrationId: null,
    sessionId: null,
    webinarId: null,
    interactionId: null,
    utmSource: null,
    touchAt: null,
    renewalOf: null,
    windowDays: 30,
    considered: { touches: [], moreCount: 0, isCut: false, isNamed: false },
  };
  const credit: Credit = {
    ...none,
    level: 'registered',
    matchedBy: 'email',
    reason: null,
    registrationId: registrationId!,
    utmSource: 'mail',
    touchAt: at(-1),
  };
  const first = await replace(world, id, credit);
  expect(first.map(({ type, amountMinor }) => `${type} ${amountMinor}`).toSorted()).toEqual([
    'purchase 1000',
    'refund -100',
  ]);
  expect(await levels(world)).toEqual([
    { object_id: 'p1', level: 'registered', registration_id: registrationId },
    { object_id: 'p1 refund', level: 'registered', registration_id: registrationId },
    { object_id: 'p2', level: 'unattributed', registration_id: null },
  ]);
  await expectSums(world);
  // An event is credited for the first time only once.
  await replace(world, id, none);
  expect(await replace(world, id, credit)).toEqual([]);
  await expectSums(world);
  expect(await replace(world, registrationId!, credit)).toEqual([]);
});
