// Names of the hosts file. The lookup of the operating system (getaddrinfo) reads them, but each call blocks one of libuv's four
// threads. A few dead DNS servers could so stop all file access and lookups of the process.
import { readFileSync, statSync } from 'node:fs';

const SYSTEM_HOSTS_FILE =
  process.platform === 'win32' ? 'C:\\Windows\\System32\\drivers\\etc\\hosts' : '/etc/hosts';

const RECHECK_MS = 1000;

export type FindHost = (hostname: string) => string[] | undefined;

/**
 * Creates a lookup in the hosts file. The file is read again after a change of its modification time, which is checked once a
 * second. `localhost` and the names below it are always loopback (RFC 6761, section 6.3).
 */
export function createHostsFile(path: string = SYSTEM_HOSTS_FILE): FindHost {
  let addressesByName = new Map<string, string[]>();
  let readMtimeMs = -1;
  let checkedAt = -Infinity;

  const refresh = (): void => {
    const now = performance.now();
    if (now - checkedAt < RECHECK_MS) return;
    checkedAt = now;
    const mtimeMs = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? -1;
    if (mtimeMs === readMtimeMs) return;
    addressesByName = mtimeMs === -1 ? new Map() : parseHosts(readFileSync(path, 'utf8'));
    readMtimeMs = mtimeMs;
  };

  return (hostname) => {
    if (isLocalhost(hostname)) return ['127.0.0.1', '::1'];
    refresh();
    return addressesByName.get(hostname);
  };
}

/** True for `localhost` and the names below it, in lower case and with or without the dot of the DNS root. */
export function isLocalhost(hostname: string): boolean {
  return /(^|\.)localhost\.?$/.test(hostname);
}

/** Reads the text of a hosts file (hosts(5)): an address, then its names; `#` begins a comment. */
function parseHosts(text: string): Map<string, string[]> {
  const addressesByName = new Map<string, string[]>();
  for (const line of text.split('\n')) {
    const [address, ...names] = line.replace(/#.*/, '').trim().split(/\s+/);
    if (!address) continue;
    for (const name of names) {
      const key = name.toLowerCase();
      addressesByName.set(key, [...(addressesByName.get(key) ?? []), address]);
    }
  }
  return addressesByName;
}
