// The attack in a process of its own, with the receivers that hang: it must not keep the thread that measures the other account.
import { answerParent } from '../../support/answering-process.ts';
import { startReceiver } from '../../support/receiver.ts';
import { openAccount } from '../world.ts';
import { prepareAttack, type Attack } from './attacks.ts';
import type { AttackOrder } from './start-attack-process.ts';

/** Longer than a delivery waits for its answer. */
const hangMs = 11_000;

const receiver = await startReceiver((_request, response) => void setTimeout(() => response.end(), hangMs));
let begin: () => Attack;
let attack: Attack | undefined;

answerParent('ready', async (step: 'begin' | 'stop' | { prepare: AttackOrder }) => {
  if (step === 'begin') return void (attack = begin());
  if (step === 'stop') return attack?.stop();
  const attacker = await openAccount(step.prepare.origins[0]!, 'Mallory');
  begin = await prepareAttack({ ...step.prepare, attacker, hangingUrl: new URL(receiver.url).origin });
  return undefined;
});
