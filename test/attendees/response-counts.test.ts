import { accountWriter, createId } from '@service/database';
import { expect } from 'vitest';
import type { TestApi, TestWorld } from '../support/api.ts';
import { openDashboard } from '../support/dashboard.ts';
import { eventually } from '../support/eventually.ts';
import { test } from '../support/service-test.ts';

const minuteMs = 60_000;

interface Served {
  service: TestApi;
  world: TestWorld;
}

/** An offer that was made an hour ago, and was clicked twice by 400 of 800 people and once by the others. */
async function createClickedOffer({ service, world }: Served) {
  const { pool } = service.db.database;
  const offer = (
    await world.call('POST /offers', {
      internalName: 'Offer',
      headline: 'Offer',
      showAtSeconds: 0,
      url: 'https://example.com',
      buttonLabel: 'Buy',
    })
  ).json.data;
  const madeAt = new Date(Date.now() - 60 * minuteMs);
  const interactionId = createId(madeAt);
  await pool.query('update webinars.interaction set id = $2 where account_id = $3 and id = $1', [
    offer.id,
    interactionId,
    world.accountId,
  ]);
  const click = (registrationIds: readonly string[], at: Date) =>
    pool.query(
      `insert into attendees.attendee_event (account_id, id, webinar_id, session_id, registration_id, type, occurred_at, data)
       select $1, id, $2, $2, registration_id, 'cta_click', $3, jsonb_build_object('interactionId', $4::text)
       from unnest($5::uuid[], $6::uuid[]) as click (id, registration_id)`,
      [
        world.accountId,
        world.webinar.id,
        at,
        interactionId,
        registrationIds.map(() => createId(at)),
        registrationIds,
      ],
    );
  const owner = await openDashboard(service, world);
  const readStats = async () => (await world.call(`GET /interactions/${interactionId}/stats`)).json.data;
  const readAll = async () => {
    const data = await readStats();
    const counts = await owner.query('responses.counts', { webinarId: world.webinar.id });
    const each = counts.find((one: { interactionId: string }) => one.interactionId === interactionId);
    expect([each.clicks, each.clickers]).toEqual([data.clicks, data.uniqueClickers]);
    return [data.clicks, data.uniqueClickers];
  };
  const keptClicks = async (): Promise<unknown> =>
    (await pool.query('select counts from attendees.response_count where account_id = $1', [world.accountId]))
      .rows[0]?.counts[0].events;

  const people = Array.from({ length: 800 }, () => createId(madeAt));
  await click([...people, ...people.slice(400)], new Date(madeAt.getTime() + 2 * minuteMs));
  const erase = service.api.service.erasers.get('attendees')!;
  const erasure = { erasureId: createId(), email: 'ada@example.com', until: new Date(), isRepetition: false };
  return {
    people,
    click,
    readStats,
    readAll,
    keptClicks,
    /** Erases people; `beforeCommit` is the last work of the transaction. */
    erase: (registrationIds: string[], beforeCommit: () => Promise<unknown> = async () => undefined) =>
      service.db.database.ofAccount(world.accountId).transaction(async (transaction) => {
        const tx = accountWriter(transaction, { accountId: world.accountId, now: new Date() });
        await erase(tx, { ...erasure, registrationIds }, null);
        await beforeCommit();
      }),
  };
}

test('a read of many responses keeps the count of the older ones, and later reads have the sums of all', async ({
  service,
  world,
}) => {
  const { people, click, readAll, keptClicks, erase } = await createClickedOffer({ service, world });
  await click(people.slice(0, 1), new Date());
  expect(await readAll()).toEqual([1201, 800]);
  expect(await keptClicks()).toBe(1200);

  await click([people[1]!, createId()], new Date());
  expect(await readAll()).toEqual([1203, 801]);

  await erase(people.slice(0, 2));
  expect(await readAll()).toEqual([1199, 799]);
});

test('a first count during an erasure does not keep the events that it deletes', async ({
  service,
  world,
}) => {
  const { people, readStats, readAll, erase } = await createClickedOffer({ service, world });
  const { pool } = service.db.database;
  const isWaiting = async (): Promise<boolean> =>
    (
      await pool.query(`select from pg_locks l join pg_database d on d.oid = l.database
      where l.locktype = 'advisory' and not l.granted and d.datname = current_database()`)
    ).rowCount! > 0;
  let reading: Promise<unknown> | undefined;
  await erase(people.slice(0, 2), () => {
    reading = readStats();
    return Promise.race([reading, eventually('the read to wait', isWaiting)]);
  });
  await reading;
  expect(await readAll()).toEqual([1198, 798]);
});
