import { readdir, readFile } from 'node:fs/promises';
import type { Database } from '@service/database';

/** Linux counts a process's time in hundredths of a second. */
const microsecondsPerTick = 10_000;

/** CPU time all processes of the Postgres server have used, also those that have ended, in microseconds; NaN where that cannot be read. */
export async function postgresCpuMicroseconds(pool: Database['pool']): Promise<number> {
  try {
    const { rows } = await pool.query<{ pid: number }>('select pg_backend_pid() as pid');
    const postmaster = (await readStat(rows[0]!.pid)).parent;
    const { ticksOfEnded } = await readStat(postmaster);
    const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
    const stats = await Promise.all(pids.map((pid) => readStat(pid).catch(() => undefined)));
    const ticks = stats.map((stat) => (stat?.parent === postmaster ? stat.ticks : 0));
    return ticks.reduce((sum, own) => sum + own, ticksOfEnded) * microsecondsPerTick;
  } catch {
    return Number.NaN;
  }
}

/** CPU time a process has used, in microseconds; NaN where that cannot be read. */
export const processCpuMicroseconds = (pid: number): Promise<number> =>
  readStat(pid).then(
    ({ ticks }) => ticks * microsecondsPerTick,
    () => Number.NaN,
  );

/** Fields of proc_pid_stat(5), counted after the command's name, which may contain spaces. */
async function readStat(pid: number): Promise<{ parent: number; ticks: number; ticksOfEnded: number }> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8');
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const sum = (first: number): number => Number(fields[first]) + Number(fields[first + 1]);
  return { parent: Number(fields[1]), ticks: sum(11), ticksOfEnded: sum(13) };
}
