// Many listeners of a session, who come and go while its content is read and sent.
import { createLog } from '@service/log';
import { createRoomFeed, type FeedPage, type RoomFeed } from '@service/attendees';
import { expect, test } from 'vitest';
import type { Attendee } from '../support/attendee.ts';
import { eventually } from '../support/eventually.ts';
import { createWorld, type World } from '../support/world.ts';
import { hears, opened, textsOf, writeMessage } from './chat.ts';

type ChatMode = 'public' | 'private';

/** A feed of its own, which counts the statements that it sends. */
function countedFeed(world: World) {
  const { database } = world.service.db;
  const counts = new Map<string, number>();
  const query: typeof database.query = (statement, values) => {
    const name = statement.name!.split('.')[1]!;
    counts.set(name, (counts.get(name) ?? 0) + 1);
    return database.query(statement, values);
  };
  const counted = { query, connect: database.connect, ofAccount: database.ofAccount };
  const log = createLog('test', { level: 'silent' });
  const feed: RoomFeed = createRoomFeed({ database: counted, log, now: world.clock.now });
  return {
    feed,
    countOf: (name: string) => counts.get(name) ?? 0,
    [Symbol.asyncDispose]: () => feed.close(),
  };
}

const identityOf = (
  world: World,
  { sessionId, registrationId }: Attendee,
  chatMode: ChatMode = 'public',
) => ({
  accountId: world.accountId,
  webinarId: world.webinar.id,
  sessionId,
  registrationId,
  chatMode,
});

const burn = (ms: number): void => {
  const endsAtMs = performance.now() + ms;
  while (performance.now() < endsAtMs);
};

test('listeners who come and go during reads and ticks get each message once', async () => {
  await using world = await createWorld();
  const [ada, bob] = [await world.attend(), await world.attend('bob@example.com')];
  await using counted = countedFeed(world);
  const { feed } = counted;
  const staying: string[][] = [];
  const join = async () => {
    const texts: string[] = [];
    // Slow enough that a tick has many parts.
    const onPage = ({ items }: FeedPage): void => {
      texts.push(...textsOf(items));
      burn(0.3);
    };
    const leave = await feed.subscribe(identityOf(world, bob), { onPage });
    return { texts, leave };
  };
  const written: string[] = [];
  for (let number = 0; number < 20; number += 1) {
    written.push(`m${number}`);
    await writeMessage(world, ada, { text: `m${number}`, at: new Date() });
    feed.announce(world.accountId, ada.sessionId);
    const joined = await Promise.all([1, 2, 3, 4].map(join));
    for (const { leave } of joined.splice(2)) setImmediate(leave);
    staying.push(...joined.map(({ texts }) => texts));
    // The first listener has the message while the tick goes on for the others.
    if (number % 4 === 3) await eventually('a tick', () => staying[0]!.includes(`m${number}`));
  }
  await eventually('the last message', () => staying.every((texts) => texts.includes('m19')));
  for (const texts of staying) expect(texts).toEqual(written);
  expect(counted.countOf('select_feed_messages')).toBeLessThan(written.length);
});

test('listeners of a session share one read and one page, and those who open together one statement', async () => {
  await using world = await createWorld();
  const ada = await world.attend();
  const others = await Promise.all([1, 2, 3, 4, 5].map((n) => world.attend(`bob${n}@example.com`)));
  await writeMessage(world, ada, { text: 'Before', at: new Date() });
  await using counted = countedFeed(world);
  const pages: FeedPage[][] = await Promise.all(
    Array.from({ length: 30 }, async (_, index) => {
      const own: FeedPage[] = [];
      const identity = identityOf(world, others[index % 5]!);
      await counted.feed.subscribe(identity, { onPage: (page) => void own.push(page) });
      return own;
    }),
  );
  expect(counted.countOf('select_feed_messages')).toBe(1);
  await writeMessage(world, ada, { text: 'After', at: new Date() });
  counted.feed.announce(world.accountId, ada.sessionId);
  await eventually('all have it', () => pages.every((own) => own.length === 2));
  expect(new Set(pages.map(([, page]) => page)).size).toBe(1);
  expect(new Set(pages.map(([page]) => page!.items[0])).size).toBe(1);

  const before = counted.countOf('select_feed_messages');
  const own = await Promise.all(
    [ada, ...others].map((attendee) => counted.feed.read(identityOf(world, attendee, 'private'))),
  );
  expect(own.map(({ items }) => textsOf(items))).toEqual([['Before', 'After'], [], [], [], [], []]);
  expect(counted.countOf('select_own_messages')).toBe(1);
  expect(counted.countOf('select_feed_messages')).toBe(before);
});

test('a private message that a stream opened with does not come again with the next tick', async () => {
  await using world = await createWorld();
  const ada = await world.attend();
  await using counted = countedFeed(world);
  await counted.feed.read(identityOf(world, ada));
  await writeMessage(world, ada, { text: 'Unread', at: new Date() });
  const texts: string[] = [];
  await counted.feed.subscribe(identityOf(world, ada, 'private'), {
    onPage: ({ items }) => void texts.push(...textsOf(items)),
  });
  await writeMessage(world, ada, { text: 'Next', at: new Date() });
  counted.feed.announce(world.accountId, ada.sessionId);
  await eventually('the next message', () => texts.includes('Next'));
  expect(texts).toEqual(['Unread', 'Next']);
});

test('the account of a session pays for its ticks, and no other account does', async () => {
  await using world = await createWorld();
  const ada = await world.attend();
  await using counted = countedFeed(world);
  const { database } = world.service.db;
  let pages = 0;
  await counted.feed.subscribe(identityOf(world, ada), {
    onPage: () => {
      pages += 1;
      burn(300);
    },
  });
  await writeMessage(world, ada, { text: 'Long', at: new Date() });
  counted.feed.announce(world.accountId, ada.sessionId);
  await eventually('the message', () => pages === 2);
  await eventually('the charge', () => database.recentUse(world.accountId).threadMs > 250);
  expect(database.recentUse(ada.sessionId).threadMs).toBe(0);
});

test('streams of two accounts that open together get the chat of their own session only', async () => {
  await using world = await createWorld();
  const neighbour = await world.neighbour();
  const [ada, eve] = [await world.attend(), await neighbour.attend('eve@example.com')];
  await writeMessage(world, ada, { text: 'Here', at: new Date() });
  await writeMessage(neighbour, eve, { text: 'There', at: new Date() });
  const heard = await Promise.all([ada, eve, ada, eve].map((attendee) => attendee.listen()));
  await Promise.all(heard.map(opened));
  expect(heard.map(({ items }) => textsOf(items))).toEqual([['Here'], ['There'], ['Here'], ['There']]);
  world.startSession();
  await eve.say('Again');
  await hears(heard[1]!, 'Again');
  await hears(heard[3]!, 'Again');
  await ada.say('Done');
  expect(await hears(heard[0]!, 'Done')).toEqual(['Here', 'Done']);
  expect(textsOf(heard[1]!.items)).toEqual(['There', 'Again']);
  await Promise.all(heard.map((stream) => stream[Symbol.asyncDispose]()));
});
