// The attack in a process of its own, with the receivers that hang: it must not keep the thread that measures the other account.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { signUpAttacker } from './attacker.ts';
import { startAttack } from './attacks.ts';
import type { AttackOrder } from './start-attack-process.ts';

/** Longer than a delivery waits for its answer. */
const hangMs = 11_000;

const receiver = createServer((request, response) => {
  request.resume();
  setTimeout(() => response.end(), hangMs);
});
receiver.listen(0, '127.0.0.1');
await once(receiver, 'listening');
process.on('disconnect', () => process.exit(0));
process.send!('ready');
const [{ origins, victim }] = (await once(process, 'message')) as [AttackOrder];
const attacker = await signUpAttacker(origins[0]!);
const { port } = receiver.address() as AddressInfo;
const attack = await startAttack({ attacker, origins, victim, hangingUrl: `http://127.0.0.1:${port}` });
process.send!('started');
await once(process, 'message');
process.send!(await attack.stop());
