import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/**
 * A text that identifies a living process, also against a later one with the same pid. Undefined without such a process. A zombie
 * counts as dead, because in a container without a reaper it stays for ever.
 */
export function processIdentity(pid: number): string | undefined {
  try {
    if (process.platform === 'linux') return linuxIdentity(pid);
    if (process.platform === 'win32') return process.kill(pid, 0) ? 'alive' : undefined;
    const [state = 'Z', ...started] = ps(pid, 'stat=,lstart=').split(/\s+/);
    return state.startsWith('Z') ? undefined : started.join(' ');
  } catch {
    return undefined;
  }
}

/** The command line of a living process, its words joined by spaces; empty when there is none or it is a zombie. */
export function commandLine(pid: number): string {
  try {
    if (process.platform === 'linux') {
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
    }
    return process.platform === 'win32' ? '' : ps(pid, 'command=');
  } catch {
    return '';
  }
}

function linuxIdentity(pid: number): string | undefined {
  const line = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The second field is the program's name in brackets. It may contain any character, also brackets and spaces.
  const fields = line.slice(line.lastIndexOf(')') + 2).split(' ');
  const [state] = fields;
  if (state === 'Z' || state === 'X') return undefined;
  return `${bootId()} ${fields[19]}`; // start time in clock ticks since boot, field 22 in proc_pid_stat(5)
}

function bootId(): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  } catch {
    return 'unknown-boot';
  }
}

function ps(pid: number, columns: string): string {
  return execFileSync('ps', ['-o', columns, '-p', String(pid)], { encoding: 'utf8' }).trim();
}
