import { check, type Check } from './drill.ts';
import type { ServiceProcess } from './service-process.ts';

/** No process has ended. */
export function checkAlive(processes: readonly ServiceProcess[]): Check {
  const gone = processes.filter((process) => process.ended() !== undefined);
  const describe = ({ name, ended, lastLines }: ServiceProcess): string =>
    [`${name} ended with ${ended()}`, ...lastLines()].join('\n      ');
  return check(
    'API and workers came through it by themselves',
    gone.length === 0,
    gone.length === 0 ? `${processes.length} run` : gone.map(describe).join('\n    '),
  );
}
