import { setTimeout as delay } from 'node:timers/promises';
import { check, type Drill } from './drill.ts';
import { killAt, seconds } from './judge.ts';
import { reconcile } from './reconcile.ts';
import { subscribe } from './subscriptions.ts';
import { registerMany } from './traffic.ts';
import { waitUntil } from '../support/wait-until.ts';

/** Less than the deadline of an attempt, or the late answer would be none. */
const holdMs = 6000;
/** Answers to the first worker's request and to the second one's; in the last case the second ends later. */
const paths = [`/first/${holdMs}/200`, `/first/${holdMs}/500`, `/first/${holdMs}/500/${holdMs + 2000}`];
const each = 5;
const count = each * paths.length;
const reactMaxMs = 10_000;

export const sameDelivery: Drill = {
  name: 'same-delivery',
  summary:
    'While a worker waits for slow answers, its deliveries are given to a second one, which sends them as well; then the ' +
    'slow answers come, most of them refusals. They change nothing: one success each, and no third request.',
  seconds: 4,
  async run({ openWorld, seconds: watchSeconds, say }) {
    const world = await openWorld({ webinars: paths.length });
    await world.startApi();
    for (const [index, path] of paths.entries()) await subscribe(world, world.webinars[index]!, path);
    const [first, second] = [await world.startWorker(), await world.startWorker()];
    await Promise.all([first, second].map((worker) => worker.untilReady()));
    // One at a time is awake, so that it is known who has what. Their connections stay open: both count as alive.
    second.signal('SIGSTOP');
    const traffic = [];
    for (const webinar of world.webinars) traffic.push(await registerMany(world, webinar, each));
    const isClaimed = await waitUntil(
      async () => (await world.receiver.countReceipts()) === count,
      reactMaxMs,
    );

    say('claimed by the first worker, released to the second');
    const givenAt = Date.now();
    first.signal('SIGSTOP');
    const given = await world.query(
      'update deliveries.due set claim = null, leased_until = null returning 1',
    );
    second.signal('SIGCONT');
    const taken = await waitUntil(
      async () => (await world.receiver.countReceipts()) === 2 * count,
      reactMaxMs,
    );
    const open = (await world.receiver.receipts()).slice(0, count).filter(({ end }) => end === undefined);
    first.signal('SIGCONT');
    const isOver = async (): Promise<boolean> => (await world.receiver.receipts()).every(({ end }) => end);
    await waitUntil(isOver, 3 * holdMs);
    say('looking for a third request');
    await delay(watchSeconds * 1000);

    // The first worker's request is the one beyond the record: its result came when the delivery was no longer its own.
    const { checks, figures, receipts } = await reconcile(world, {
      traffic,
      interruptions: [killAt(givenAt)],
    });
    const answered = receipts.filter(({ end }) => end === 'answered').length;
    return {
      checks: [
        ...checks,
        check('the first worker claimed them all', isClaimed && given.length === count, given.length),
        check(`the second one sent them within ${seconds(reactMaxMs)}`, taken, `${taken}`),
        check('before the first one had an answer', open.length === count, `${open.length} were open`),
        check('each was requested twice', receipts.length === 2 * count, `${receipts.length} requests`),
        check('and answered twice', answered === 2 * count, `${answered} answers`),
      ],
      figures,
    };
  },
};
