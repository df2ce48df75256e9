// The attack in a process of its own, with the receivers that hang: it must not keep the thread that measures the other account.
import { once } from 'node:events';
import { startReceiver } from '../../support/receiver.ts';
import { signUp, type SignedUp } from '../sign-up.ts';
import { startAttack } from './attacks.ts';
import type { AttackOrder } from './start-attack-process.ts';

/** Longer than a delivery waits for its answer. */
const hangMs = 11_000;

const receiver = await startReceiver((_request, response) => void setTimeout(() => response.end(), hangMs));
process.on('disconnect', () => process.exit(0));
process.send!('ready');
const [{ origins, victim, sellerId }] = (await once(process, 'message')) as [AttackOrder];
const attackers: SignedUp[] = [];
for (const name of ['Mallory', 'Trudy', 'Eve', 'Oscar']) attackers.push(await signUp(origins[0]!, name));
const attack = await startAttack({
  attackers,
  origins,
  victim,
  sellerId,
  hangingUrl: new URL(receiver.url).origin,
});
process.send!('started');
await once(process, 'message');
process.send!(await attack.stop());
