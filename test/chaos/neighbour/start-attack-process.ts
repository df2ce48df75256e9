import { spawnSync } from 'node:child_process';
import { constants, setPriority } from 'node:os';
import { startAnswering } from '../../support/answering-process.ts';
import type { Attack } from './attacks.ts';
import type { AttackTarget } from './way.ts';

export type AttackOrder = Pick<AttackTarget, 'origins' | 'victim' | 'sellerId'>;

/** Signs up an account and attacks with it, in a process of its own. */
export async function startAttackProcess(order: AttackOrder): Promise<Pick<Attack, 'stop'>> {
  const child = await startAnswering(new URL('attack-process.ts', import.meta.url));
  await child.ask({ prepare: order });
  runWhenIdle(child.pid);
  await child.ask('begin');
  return {
    async stop() {
      const answers = await child.ask<Map<string, number>>('stop');
      child[Symbol.dispose]();
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
