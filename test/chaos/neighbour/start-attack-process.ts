import { fork, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { constants, setPriority } from 'node:os';
import type { Attack } from './attacks.ts';
import type { AttackTarget } from './way.ts';

export type AttackOrder = Pick<AttackTarget, 'origins' | 'victim' | 'sellerId'>;

/** Signs up an account and attacks with it, in a process of its own. */
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
  child.send(order);
  await nextMessage();
  runWhenIdle(child.pid!);
  child.send('begin');
  return {
    async stop() {
      child.send('stop');
      const answers = await nextMessage<Map<string, number>>();
      child.kill();
      return answers;
    },
  };
}

/**
 * An attacker works on other machines, so what the attack itself computes must not be taken for harm that it does to the service: it runs
 * while nothing else wants to, or where the system cannot do that, with the lowest priority.
 */
function runWhenIdle(pid: number): void {
  const { status } = spawnSync('chrt', ['--all-tasks', '--idle', '--pid', '0', String(pid)]);
  if (status !== 0) setPriority(pid, constants.priority.PRIORITY_LOW);
}
