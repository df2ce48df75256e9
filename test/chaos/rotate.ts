import { createHmac } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { check, type Drill } from './drill.ts';
import type { Receipt } from '../support/receiver-process.ts';
import { reconcile } from './reconcile.ts';
import { subscribe } from './subscriptions.ts';
import { registerMany } from './traffic.ts';
import { waitUntil } from '../support/wait-until.ts';

const count = 1000;
const beforeRotation = 200;
const underWayMaxMs = 20_000;

export const rotate: Drill = {
  name: 'rotate',
  summary:
    'A secret is rotated while 1,000 deliveries are being sent. Every request that comes after the answer is signed with ' +
    'the new secret only, as the standardwebhooks package judges.',
  seconds: 10,
  async run({ openWorld, say }) {
    const world = await openWorld({ webinars: 1, keepBodies: true });
    await world.startApi();
    const [webinar] = world.webinars;
    const subscription = await subscribe(world, webinar!, '/slow/100');
    const traffic = [await registerMany(world, webinar!, count)];
    await world.startWorker();
    await world.startWorker();
    await waitUntil(async () => (await world.receiver.countReceipts()) >= beforeRotation, underWayMaxMs);
    const { secret } = await world.call<{ secret: string }>(
      `POST /webinars/${webinar!.id}/webhooks/${subscription.id}/rotate-secret`,
    );
    const answeredAt = Date.now();
    say('rotated');

    const { checks, figures, receipts } = await reconcile(world, { traffic });
    const after = receipts.filter(({ at }) => at > answeredAt);
    const before = receipts.filter(({ at }) => at <= answeredAt);
    const old = after.filter((receipt) => !isSignedWith(secret, receipt));
    const strange = before.filter((receipt) => {
      return !isSignedWith(secret, receipt) && !isSignedWith(subscription.secret, receipt);
    });
    const lastOldMs = old.reduce((last, { at }) => Math.max(last, at - answeredAt), 0);
    return {
      checks: [
        ...checks,
        check(
          'some came before the answer and some after',
          before.length > 0 && after.length > 0,
          `${before.length} and ${after.length}`,
        ),
        check(
          'before, all are signed with the old secret or the new one',
          strange.length === 0,
          `${strange.length} are not`,
        ),
        check(
          'after the answer all are signed with the new secret',
          old.length === 0,
          old.length === 0
            ? 'none is not'
            : `${old.length} are not, the last ${lastOldMs} ms after the answer`,
        ),
      ],
      figures,
    };
  },
};

/** By both signatures: the whole secret keys X-Service-Signature, Standard Webhooks decodes it. */
function isSignedWith(secret: string, { headers = {}, body = '' }: Receipt): boolean {
  const ours = `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;
  try {
    new Webhook(secret).verify(body, headers);
    return headers['x-service-signature'] === ours;
  } catch {
    return false;
  }
}
