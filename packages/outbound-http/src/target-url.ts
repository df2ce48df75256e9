import { LRUCache } from 'lru-cache';
import type { OutboundPolicy } from './policy.ts';

/** Longest URL that is stored or requested, in characters. */
const URL_LENGTH_MAX = 2048;

/** Parsed URLs that an agent remembers. */
const TARGETS_MAX = 10_000;

export type UrlFault = 'invalid_url' | 'not_https' | 'has_credentials' | 'too_long';

export interface Target {
  ok: true;
  url: URL;
  origin: string;
  /** Includes the query. */
  path: string;
}

export type TargetUrl = Target | { ok: false; reason: UrlFault; message: string };

/**
 * Reads a URL by the WHATWG rules, which convert every spelling of an IPv4 host (decimal, hex, octal, short, circled digits) to
 * four decimals, and applies the rules that need no network. For saved URLs and for redirects, whose `base` is the URL that
 * redirected.
 */
export function parseTargetUrl(input: string, policy: OutboundPolicy, base?: URL): TargetUrl {
  if (input.length > URL_LENGTH_MAX) return tooLong;
  const url = URL.parse(input, base?.href);
  if (url === null) return refuse('invalid_url', 'This is not a valid URL.');
  if (url.protocol !== 'https:' && !(policy.allowHttp && url.protocol === 'http:')) {
    return refuse('not_https', 'The URL must start with https://.');
  }
  if (url.username !== '' || url.password !== '') {
    return refuse('has_credentials', 'The URL must not contain a user name or a password.');
  }
  if (url.port === '0') return refuse('invalid_url', 'The port must be between 1 and 65535.');
  if (url.hash !== '') url.hash = '';
  // Percent-encoding can make the stored form nine times as long as the input.
  if (url.href.length > URL_LENGTH_MAX) return tooLong;
  return { ok: true, url, origin: url.origin, path: url.pathname + url.search };
}

/** Creates parseTargetUrl for one policy. It remembers URLs, because an endpoint has the same URL in all its attempts. */
export function createTargetReader(policy: OutboundPolicy): (input: string) => TargetUrl {
  // `max` would reserve the memory of all entries at once.
  const targets = new LRUCache<string, TargetUrl>({ maxSize: TARGETS_MAX, sizeCalculation: () => 1 });
  return (input) => {
    let target = targets.get(input);
    if (target === undefined) {
      target = parseTargetUrl(input, policy);
      if (target.ok) targets.set(input, target);
    }
    return target;
  };
}

/** The host for `net.isIP` and DNS: an IPv6 literal without brackets. */
export function bareHost(hostname: string): string {
  return hostname.startsWith('[') ? hostname.slice(1, -1) : hostname;
}

function refuse(reason: UrlFault, message: string): TargetUrl {
  return { ok: false, reason, message };
}

const tooLong = refuse('too_long', `The URL must be at most ${URL_LENGTH_MAX} characters long.`);
