import type { Database, Query } from '@service/database';
import { afterEach, expect, vi } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { createSubscriberWorld, happened, type SubscriberWorld, test } from './subscriber-world.ts';

afterEach(() => void vi.restoreAllMocks());

/** Stops the clock at a whole millisecond, so that cached rules never become too old. Returns a function that moves it. */
function stopTime(): (ms: number) => void {
  // Sums of fractions are rounded: after 30 times 2,000 ms a minute would not always have passed.
  let nowMs = Math.ceil(performance.now());
  const clock = vi.spyOn(performance, 'now').mockReturnValue(nowMs);
  return (ms) => void clock.mockReturnValue((nowMs += ms));
}

/** A database that records its statements by name. With `isDeaf` its connection for notifications fails. */
function counting({ query, connect }: Database, { isDeaf = false } = {}) {
  const names: (string | undefined)[] = [];
  const counted: Query = (statement, values) => {
    names.push(statement.name);
    return query(statement, values);
  };
  const refuse = () => Promise.reject(new Error('There is no connection'));
  return { names, query: counted, connect: isDeaf ? refuse : connect };
}

/** A database whose connection for notifications works, but passes none on. */
const withoutNotifications = ({ query, connect }: Database) => ({
  query,
  async connect() {
    const connection = await connect();
    const emit = connection.emit.bind(connection);
    return Object.assign(connection, {
      emit: (event: string, ...values: unknown[]) => event !== 'notification' && emit(event, ...values),
    });
  },
});

/** Changes rules like another process whose notification is lost. */
const changeWithoutNotification = async (
  { service, webinar }: SubscriberWorld,
  change: string,
): Promise<void> => {
  const { pool } = service.db.database;
  await pool.query(change);
  await pool.query('update automations.rule_set set version = version + 1 where webinar_id = $1', [
    webinar.id,
  ]);
};

const listenersOf = async ({ service }: SubscriberWorld): Promise<number[]> => {
  const { rows } = await service.db.database.pool.query<{ pid: number }>(
    `select pid from pg_stat_activity where datname = current_database() and query like 'listen %"automations_rules"%'`,
  );
  return rows.map(({ pid }) => pid);
};

test.for([[undefined], ['left']] as const)(
  'a deleted rule does not fire even if its notification is lost, with %s expected',
  async ([expected], { world }) => {
    const ada = await world.registrant('ada@example.com');
    await world.rule({ type: 'left' });
    stopTime();
    await world.transaction((tx) => world.subscriber.findInterest(tx, world.webinar.id));
    // The process of the API and this one.
    const before = await eventually('both to listen', async () => {
      const pids = await listenersOf(world);
      return pids.length === 2 && pids;
    });
    const { pool } = world.service.db.database;
    await pool.query('select pg_terminate_backend(pid) from unnest($1::int[]) as l (pid)', [before]);
    await changeWithoutNotification(world, 'delete from automations.rule');
    await world.publish([happened(ada, 'left')], { expected });
    expect(await world.executions()).toEqual([]);
    await eventually('both to listen again', async () => {
      const pids = await listenersOf(world);
      return pids.length === 2 && !pids.some((pid) => before.includes(pid));
    });
  },
);

test('a rule that changes after findInterest is evaluated in its new version', async ({ world }) => {
  const ada = await world.registrant('ada@example.com');
  await world.rule({ type: 'left' });
  await world.transaction(async (tx) => {
    const interest = await world.subscriber.findInterest(tx, world.webinar.id);
    await changeWithoutNotification(world, `update automations.rule set name = 'Renamed'`);
    await interest.onEvents(tx, [happened(ada, 'left')]);
  });
  expect(await world.executions()).toMatchObject([{ ruleName: 'Renamed', outcome: 'matched' }]);
});

test('without a connection for notifications, a new rule of another process fires for the next event', async ({
  world,
}) => {
  const subscriber = world.anotherSubscriber(counting(world.service.db.database, { isDeaf: true }));
  const ada = await world.registrant('ada@example.com');
  const leave = () => world.publish([happened(ada, 'left')], { subscriber });
  await world.rule({ type: 'left' }, { enabled: false });
  stopTime();
  await leave();
  await changeWithoutNotification(world, 'update automations.rule set enabled = true');
  await leave();
  expect(await world.executions()).toHaveLength(1);
});

test('a rule that another version of the service changed without a new version of the rules is noticed within a minute', async ({
  world,
}) => {
  const ada = await world.registrant('ada@example.com');
  const subscriber = world.anotherSubscriber(withoutNotifications(world.service.db.database));
  const leave = () => world.publish([happened(ada, 'left')], { subscriber });
  await world.rule({ type: 'left' }, { enabled: false });
  const pass = stopTime();
  await leave();
  await eventually('both to listen', async () => (await listenersOf(world)).length === 2);
  await leave();
  await world.service.db.database.pool.query('update automations.rule set enabled = true');
  // Its version is compared every second, and is still the same.
  for (let seconds = 2; seconds < 60; seconds += 2) {
    pass(2000);
    await leave();
  }
  pass(2000);
  await leave();
  expect(await world.executions()).toHaveLength(1);
});

test('rules that have not changed are not sent again after a minute', async ({ world }) => {
  const { query, connect } = world.service.db.database;
  const sent: unknown[] = [];
  const counted: Query = async (statement, values) => {
    const rows = await query(statement, values);
    if (statement.name === 'automations.select_rules')
      sent.push(...rows.map((row) => (row as { rules: string | null }).rules));
    return rows;
  };
  const ada = await world.registrant('ada@example.com');
  const subscriber = world.anotherSubscriber({ query: counted, connect });
  const leave = () => world.publish([happened(ada, 'left')], { subscriber });
  await world.rule({ type: 'left' });
  const pass = stopTime();
  await leave();
  await eventually('both to listen', async () => (await listenersOf(world)).length === 2);
  await leave();
  for (let minutes = 0; minutes < 2; minutes += 1) {
    pass(60_000);
    await leave();
  }
  expect(sent.slice(-2)).toEqual([null, null]);
  expect(await world.executions()).toHaveLength(4);
});

test('a new rule fires for the next event of its own process, before a notification arrives', async ({
  world,
}) => {
  const subscriber = world.anotherSubscriber(withoutNotifications(world.service.db.database));
  const ada = await world.registrant('ada@example.com');
  const leave = () => world.publish([happened(ada, 'left')], { subscriber });
  stopTime();
  await leave();
  await eventually('both to listen', async () => (await listenersOf(world)).length === 2);
  await leave();
  await world.rule({ type: 'left' });
  await leave();
  expect(await world.executions()).toHaveLength(1);
});

test('a change of another process reaches the cache by its notification', async ({ world }) => {
  const ada = await world.registrant('ada@example.com');
  const leave = () => world.publish([happened(ada, 'left')]);
  await world.rule({ type: 'left' }, { enabled: false });
  await leave();
  await eventually('it to listen', async () => (await listenersOf(world)).length > 0);
  stopTime();
  await leave();
  await changeWithoutNotification(world, 'update automations.rule set enabled = true');
  await world.service.db.database.pool.query('select pg_notify($1, $2)', [
    'automations_rules',
    `${world.accountId}:${world.webinar.id}`,
  ]);
  await eventually('the rule to fire', async () => {
    await leave();
    return (await world.executions()).length > 0;
  });
});

test('rules that change while they are loaded are not cached, and a failed load is repeated', async ({
  world,
}) => {
  const { query, connect } = world.service.db.database;
  const ada = await world.registrant('ada@example.com');
  stopTime();
  const release = Promise.withResolvers<void>();
  let tries = 0;
  let isRead = false;
  let notifications = 0;
  const subscriber = world.anotherSubscriber({
    async query(statement, values) {
      tries += 1;
      if (tries === 1) throw new Error('The database is away');
      const rows = await query(statement, values);
      isRead = true;
      if (tries === 2) await release.promise;
      return rows;
    },
    async connect() {
      const connection = await connect();
      return connection.on('notification', () => (notifications += 1));
    },
  });
  const leave = () => world.publish([happened(ada, 'left')], { subscriber });
  await expect(leave()).rejects.toThrow('away');
  await eventually('both to listen', async () => (await listenersOf(world)).length === 2);
  const before = leave();
  await eventually('the rules to be read', () => isRead);
  await world.rule({ type: 'left' });
  await eventually('the notification', () => notifications > 0);
  release.resolve();
  await before;
  expect(await world.executions()).toEqual([]);
  await leave();
  expect(await world.executions()).toHaveLength(1);
});

test('an event of a webinar without rules needs no statement, and parallel loads share one statement', async ({
  world,
}) => {
  const ada = await world.registrant('ada@example.com');
  const database = counting(world.service.db.database);
  const subscriber = world.anotherSubscriber(database);
  await world.transaction(async (tx) => {
    const inTransaction = counting({ ...world.service.db.database, query: tx.query });
    const deferred: unknown[] = [];
    const writer = {
      ...tx,
      query: inTransaction.query,
      defer: (...write: unknown[]) => void deferred.push(write),
    };
    const interests = Array.from({ length: 50 }, () =>
      subscriber.findInterest(writer, world.webinar.id, 'left'),
    );
    for (const { onEvents } of await Promise.all(interests)) await onEvents(writer, [happened(ada, 'left')]);
    expect([...inTransaction.names, ...deferred]).toEqual([]);
  });
  expect(database.names).toEqual(['automations.select_rules']);
});

test('the version of an expected event is loaded beside the statements of the caller, and once', async ({
  world,
}) => {
  const ada = await world.registrant('ada@example.com');
  await world.rule({ type: 'left' });
  await world.publish([]);
  await eventually('both to listen', async () => (await listenersOf(world)).length === 2);
  await world.publish([]);
  stopTime();
  await world.transaction(async (tx) => {
    const { names, query } = counting({ ...world.service.db.database, query: tx.query });
    const writer = { ...tx, query };
    const interest = world.subscriber.findInterest(writer, world.webinar.id, 'left');
    expect(names).toEqual(['automations.select_rules_version']);
    await (await interest).onEvents(writer, [happened(ada, 'left')]);
    expect(names).toEqual(['automations.select_rules_version', 'automations.insert_firings']);
  });
});

test('rules of one account are never used for another, even if their webinars have the same id', async ({
  world,
}) => {
  await using other = await createSubscriberWorld();
  const { pool } = world.service.db.database;
  const ada = await world.registrant('ada@example.com');
  await world.rule({ type: 'left' }, { name: 'Mine' });
  await pool.query(
    `insert into automations.rule (account_id, id, webinar_id, name, enabled, trigger_type, endpoint_id, created_at, updated_at)
     select $1, id, webinar_id, 'Theirs', true, 'left', endpoint_id, now(), now() from automations.rule`,
    [other.accountId],
  );
  await pool.query(
    'insert into automations.rule_set select $1, webinar_id, version from automations.rule_set',
    [other.accountId],
  );
  await world.transaction(async (tx) => {
    const theirs = { ...tx, accountId: other.accountId };
    const [mine, foreign] = [
      await world.subscriber.findInterest(tx, world.webinar.id),
      await world.subscriber.findInterest(theirs, world.webinar.id),
    ];
    await mine.onEvents(tx, [happened(ada, 'left')]);
    await foreign.onEvents(theirs, [happened(ada, 'left')]);
  });
  const { rows } = await pool.query(
    'select account_id, rule_name from automations.execution order by rule_name',
  );
  expect(rows).toEqual([
    { account_id: world.accountId, rule_name: 'Mine' },
    { account_id: other.accountId, rule_name: 'Theirs' },
  ]);
});
