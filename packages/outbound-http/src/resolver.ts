import { promises as dns } from 'node:dns';
import { LRUCache } from 'lru-cache';
import { createHostsFile } from './hosts-file.ts';

export interface Resolver {
  /** Every address of a name, IPv4 first. Rejects with ResolveError. */
  resolve(hostname: string): Promise<string[]>;
}

export type ResolveFault = 'no_such_name' | 'dns_timeout' | 'dns_failed';

const MESSAGES: Record<ResolveFault, (host: string) => string> = {
  no_such_name: (host) => `The host name ${host} does not exist or has no address.`,
  dns_timeout: (host) => `The host name ${host} could not be looked up in time.`,
  dns_failed: (host) => `The host name ${host} could not be looked up.`,
};

export class ResolveError extends Error {
  override readonly name = 'ResolveError';
  readonly code: ResolveFault;

  constructor(code: ResolveFault, host: string, options?: ErrorOptions) {
    super(MESSAGES[code](host), options);
    this.code = code;
  }
}

export interface ResolverOptions {
  /** The limit of one lookup over both families and all attempts. */
  timeoutMs?: number;
  /** Answers are cached for this time. Their TTL is ignored. */
  cacheSeconds?: number;
  /** `address:port` of the DNS servers. Default: those of the system. */
  servers?: string[];
  hostsFile?: string;
}

const FAILURE_CACHE_MS = 1000;
const CACHE_MAX = 10_000;

/**
 * Creates a resolver for the hosts file and DNS. It uses c-ares (A and AAAA in parallel), not getaddrinfo with its four threads.
 * Equal lookups in progress are one lookup. Failures are cached for at most one second.
 */
export function createResolver(options: ResolverOptions = {}): Resolver {
  const { timeoutMs = 2000, cacheSeconds = 30, servers, hostsFile } = options;
  const findHost = createHostsFile(hostsFile);
  // Two attempts within the limit, because one lost packet must not fail a delivery.
  const client = new dns.Resolver({ timeout: Math.ceil(timeoutMs / 2), tries: 2, maxTimeout: timeoutMs });
  if (servers !== undefined) client.setServers(servers);
  // `max` would reserve the memory of all entries at once.
  const cache = new LRUCache<string, Promise<string[]>>({ maxSize: CACHE_MAX, sizeCalculation: () => 1 });

  const remember = (name: string, lookup: Promise<string[]>, ttlMs: number): void => {
    if (cache.peek(name) !== lookup) return;
    // lru-cache reads a ttl of 0 as "for ever".
    if (ttlMs > 0) cache.set(name, lookup, { ttl: ttlMs });
    else cache.delete(name);
  };

  return {
    resolve(hostname) {
      const name = hostname.toLowerCase().replace(/\.$/, '');
      const listed = findHost(name);
      if (listed !== undefined) return Promise.resolve(listed);
      const known = cache.get(name);
      if (known !== undefined) return known;
      const lookup = lookUp(client, name, timeoutMs);
      cache.set(name, lookup);
      const cacheMs = cacheSeconds * 1000;
      lookup.then(
        () => remember(name, lookup, cacheMs),
        () => remember(name, lookup, Math.min(cacheMs, FAILURE_CACHE_MS)),
      );
      return lookup;
    },
  };
}

async function lookUp(client: dns.Resolver, name: string, timeoutMs: number): Promise<string[]> {
  const addresses: string[][] = [[], []];
  const errors: unknown[] = [];
  const ask = async (question: Promise<string[]>, family: 0 | 1): Promise<void> => {
    try {
      addresses[family] = await question;
    } catch (error) {
      errors.push(error);
    }
  };
  const timeout = Promise.withResolvers<'late'>();
  const timer = setTimeout(() => timeout.resolve('late'), timeoutMs);
  const answers = Promise.all([ask(client.resolve4(name), 0), ask(client.resolve6(name), 1)]);
  const end = await Promise.race([answers, timeout.promise]);
  clearTimeout(timer);

  // An answer for one family is enough, because some servers never answer AAAA.
  const found = addresses.flat();
  if (found.length > 0) return found;
  if (end === 'late') throw new ResolveError('dns_timeout', name);
  throw worstOf(errors, name);
}

// "No such name" is the reason only when both families report it. Else the other error is the reason.
function worstOf(errors: unknown[], name: string): ResolveError {
  const cause = errors.find((error) => !hasCode(error, ['ENOTFOUND', 'ENODATA', 'EBADNAME']));
  if (cause === undefined) return new ResolveError('no_such_name', name, { cause: errors[0] });
  return new ResolveError(hasCode(cause, ['ETIMEOUT']) ? 'dns_timeout' : 'dns_failed', name, { cause });
}

function hasCode(error: unknown, codes: string[]): boolean {
  return error instanceof Error && 'code' in error && codes.includes(String(error.code));
}
