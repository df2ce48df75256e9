// DNS questions about domains of tenants. Names come from tenants and from DNS, and so do the answers: both are bounded. Nothing
// connects to an address that was found here.
import { promises as dns } from 'node:dns';
import { parse } from 'tldts';

/** Values are single lines of bounded length. `failed`: no answer, or no more time. */
export type DnsAnswer = { kind: 'found'; values: string[] } | { kind: 'none' } | { kind: 'failed' };

export interface DnsQuestions {
  txt(host: string): Promise<DnsAnswer>;
  cname(host: string): Promise<DnsAnswer>;
  /** As `10 mx.example.com`, the preferred ones first. */
  mx(host: string): Promise<DnsAnswer>;
  /** Ends the questions that are still open. */
  close(): void;
}

export interface DnsOptions {
  /** `address:port` of the servers to ask. Undefined: those of the system. */
  servers?: readonly string[] | undefined;
  /** For all questions together. */
  timeoutMs?: number;
}

const questionsMax = 60;
const valuesMax = 100;
const valueLengthMax = 2000;

/** Opens the questions of one check. The same question is asked once. */
export function openDns({ servers, timeoutMs = 4000 }: DnsOptions): DnsQuestions {
  // Two attempts, because one lost packet must not look like a missing record.
  const resolver = new dns.Resolver({ timeout: Math.ceil(timeoutMs / 3), tries: 2, maxTimeout: timeoutMs });
  if (servers) resolver.setServers(servers);
  const asked = new Map<string, Promise<DnsAnswer>>();
  let isOpen = true;
  const close = (): void => {
    isOpen = false;
    clearTimeout(timer);
    resolver.cancel();
  };
  const timer = setTimeout(close, timeoutMs);

  const ask = (
    type: string,
    host: string,
    question: (name: string) => Promise<string[]>,
  ): Promise<DnsAnswer> => {
    const name = host.toLowerCase().replace(/\.$/, '');
    if (!isPublicName(name)) return Promise.resolve({ kind: 'none' });
    const key = `${type} ${name}`;
    const known = asked.get(key);
    if (known) return known;
    if (!isOpen || asked.size >= questionsMax) return Promise.resolve({ kind: 'failed' });
    const answer = question(name).then(toAnswer, toFailure);
    asked.set(key, answer);
    return answer;
  };

  return {
    txt: (host) =>
      ask('TXT', host, async (name) => (await resolver.resolveTxt(name)).map((parts) => parts.join(''))),
    cname: (host) => ask('CNAME', host, (name) => resolver.resolveCname(name)),
    mx: (host) =>
      ask('MX', host, async (name) =>
        (await resolver.resolveMx(name))
          .toSorted((one, other) => one.priority - other.priority)
          .map(({ priority, exchange }) => `${priority} ${exchange || '.'}`),
      ),
    close,
  };
}

const toAnswer = (values: string[]): DnsAnswer =>
  values.length === 0
    ? { kind: 'none' }
    : {
        kind: 'found',
        values: values.slice(0, valuesMax).map(toLine),
      };

/** Without characters that break lines or change the direction of text on a page. */
const toLine = (value: string): string =>
  value
    .toWellFormed()
    .replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, ' ')
    .trim()
    .slice(0, valueLengthMax);

const toFailure = (error: unknown): DnsAnswer =>
  error instanceof Error && 'code' in error && ['ENOTFOUND', 'ENODATA'].includes(String(error.code))
    ? { kind: 'none' }
    : { kind: 'failed' };

/**
 * True for a name below a public top-level domain. Other names, such as those of a cluster or a company network, are never asked
 * for: a tenant could read them.
 */
export const isPublicName = (name: string): boolean =>
  name.length <= 253 &&
  /^(?:[a-z0-9_-]{1,63}\.)+[a-z0-9-]{2,63}$/.test(name) &&
  placeOf(name).isIcann === true;

/** The domain of the organization that a name belongs to, by the Public Suffix List. RFC 7489, 3.2. */
export const organizationalDomain = (name: string): string =>
  parse(name, { validateHostname: false, allowPrivateDomains: true }).domain ?? name;

const placeOf = (name: string) => parse(name, { validateHostname: false });
