import { createLog } from '@service/log';
import { createRoomFeed, type FeedPage, type RoomFeed } from '@service/attendees';
import { expect, test } from 'vitest';
import type { Attendee } from '../support/attendee.ts';
import { eventually } from '../support/eventually.ts';
import { createWorld, type World } from '../support/world.ts';
import { hears, opened, secondsAgo, textsOf, writeMessage } from './chat.ts';

test('a message that becomes visible late is sent, even after later messages', async () => {
  await using world = await createWorld();
  const [ada, bob] = [await world.attend(), await world.attend('bob@example.com')];
  world.startSession();
  await using heard = await bob.listen();
  await opened(heard);
  await ada.say('Early');
  await hears(heard, 'Early');
  await writeMessage(world, ada, { text: 'Late', at: secondsAgo(8) });
  await ada.say('Next');
  await hears(heard, 'Next');
  expect(textsOf(heard.items)).toEqual(['Early', 'Late', 'Next']);
});

test('a process whose clock is an hour ahead hides no messages of others', async () => {
  await using world = await createWorld();
  const [ada, bob] = [await world.attend(), await world.attend('bob@example.com')];
  await using heard = await bob.listen();
  await opened(heard);
  await writeMessage(world, ada, { text: 'Ahead', at: secondsAgo(-3600) });
  world.service.api.service.feed.announce(world.accountId, ada.sessionId);
  await hears(heard, 'Ahead');
  await writeMessage(world, ada, { text: 'On time', at: secondsAgo(0) });
  world.service.api.service.feed.announce(world.accountId, ada.sessionId);
  await hears(heard, 'On time');
});

test('a change without a notification is found by the next poll', async () => {
  await using world = await createWorld();
  const [ada, bob] = [await world.attend(), await world.attend('bob@example.com')];
  await using heard = await bob.listen();
  await opened(heard);
  await writeMessage(world, ada, { text: 'Silent', at: secondsAgo(0) });
  await hears(heard, 'Silent');
});

/** A feed without polling, and what a listener gets from it. */
async function listenToFeed(world: World, { sessionId, registrationId }: Attendee) {
  const { database } = world.service.db;
  const log = createLog('test', { level: 'silent' });
  const feed: RoomFeed = createRoomFeed({ database, log, now: world.clock.now, lookEveryMs: 2 ** 30 });
  const heard: FeedPage['items'][number][] = [];
  const { accountId, webinar } = world;
  await feed.subscribe(
    { accountId, webinarId: webinar.id, sessionId, registrationId, chatMode: 'public' },
    { onPage: ({ items }) => void heard.push(...items) },
  );
  const listenerPid = (): Promise<number> =>
    eventually('the feed listens', async () => {
      const { rows } = await database.pool.query(
        `select pid from pg_stat_activity
         where datname = current_database() and application_name = 'test' and query like 'listen %"webinars_room"%'`,
      );
      return rows[0]?.pid;
    });
  return {
    hears: (text: string) => eventually(`“${text}” is heard`, () => textsOf(heard).includes(text)),
    listenerPid,
    [Symbol.asyncDispose]: () => feed.close(),
  };
}

test('a notification is enough to get new content', async () => {
  await using world = await createWorld();
  const ada = await world.attend();
  world.startSession();
  await using listener = await listenToFeed(world, ada);
  await listener.listenerPid();
  await ada.say('First');
  await listener.hears('First');
  await ada.say('Second');
  await listener.hears('Second');
});

test('a process that lost its connection listens again and reads what it missed', async () => {
  await using world = await createWorld();
  const ada = await world.attend();
  await using listener = await listenToFeed(world, ada);
  const pid = await listener.listenerPid();
  const { pool } = world.service.db.database;
  await pool.query('select pg_terminate_backend($1)', [pid]);
  await eventually('the connection is gone', async () => {
    const { rows } = await pool.query('select from pg_stat_activity where pid = $1', [pid]);
    return rows.length === 0;
  });
  await writeMessage(world, ada, { text: 'Missed', at: secondsAgo(0) });
  await listener.hears('Missed');
});
