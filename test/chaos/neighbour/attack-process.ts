// The attack in a process of its own, with the receivers that hang: it must not keep the thread that measures the other account.
import { once } from 'node:events';
import { startReceiver } from '../../support/receiver.ts';
import { prepareAttack } from './attacks.ts';
import { openAccount } from '../world.ts';
import type { AttackOrder } from './start-attack-process.ts';

/** Longer than a delivery waits for its answer. */
const hangMs = 11_000;

const receiver = await startReceiver((_request, response) => void setTimeout(() => response.end(), hangMs));
process.on('disconnect', () => process.exit(0));
process.send!('ready');
const [{ origins, victim, sellerId }] = (await once(process, 'message')) as [AttackOrder];
const attacker = await openAccount(origins[0]!, 'Mallory');
const begin = await prepareAttack({
  attacker,
  origins,
  victim,
  sellerId,
  hangingUrl: new URL(receiver.url).origin,
});
process.send!('prepared');
await once(process, 'message');
const attack = begin();
await once(process, 'message');
process.send!(await attack.stop());
