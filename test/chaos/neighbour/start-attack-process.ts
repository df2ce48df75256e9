import { fork } from 'node:child_process';
import { once } from 'node:events';
import { constants, setPriority } from 'node:os';
import type { Attack, AttackTarget } from './attacks.ts';

export type AttackOrder = Pick<AttackTarget, 'origins' | 'victim' | 'sellerId'>;

/**
 * Signs up an account and attacks with it, in a process of its own. That has the lowest priority: an attacker works on other
 * machines, so what the attack itself computes must not be taken for harm that it does to the service.
 */
export async function startAttackProcess(order: AttackOrder): Promise<Pick<Attack, 'stop'>> {
  const child = fork(new URL('attack-process.ts', import.meta.url), { serialization: 'advanced' });
  const failed = once(child, 'exit').then(() => {
    throw new Error('The attack ended by itself.');
  });
  failed.catch(() => undefined);
  const nextMessage = async <Message>(): Promise<Message> => {
    const [message] = (await Promise.race([once(child, 'message'), failed])) as [Message];
    return message;
  };
  await nextMessage();
  setPriority(child.pid!, constants.priority.PRIORITY_LOW);
  child.send(order);
  await nextMessage();
  return {
    async stop() {
      child.send('stop');
      const answers = await nextMessage<Map<string, number>>();
      child.kill();
      return answers;
    },
  };
}
