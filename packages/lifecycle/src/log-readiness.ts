import type { Log } from '@service/log';

/** Logs each change of the readiness of a process, with its reason. The function gets the status of each probe: `ok` or a reason. */
export function createReadinessLog(log: Pick<Log, 'info' | 'warn'>): (status: string) => void {
  let former = 'ok';
  return (status) => {
    if (status === former) return;
    former = status;
    if (status === 'ok') log.info('This process is ready again');
    else log.warn({ status }, 'This process is not ready');
  };
}
