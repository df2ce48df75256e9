import { LRUCache } from 'lru-cache';
import type { OutboundPolicy } from './policy.ts';

/** Longest URL that is stored or dialled, in characters. */
const URL_LENGTH_MAX = 2048;

/** URLs an agent keeps read. */
const TARGETS_MAX = 10_000;

export type UrlFault = 'invalid_url' | 'not_https' | 'has_credentials' | 'too_long';

export interface Target {
  ok: true;
  url: URL;
  origin: string;
  /** With the query. */
  path: string;
}

export type TargetUrl = Target | { ok: false; reason: UrlFault; message: string };

/**
 * Reads a URL by the WHATWG rules, which turn every spelling of an IPv4 host (decimal, hex, octal, short, circled
 * digits) into four decimals, and applies the rules that need no network. The same for a saved URL and for a redirect,
 * where `base` is the URL that redirected.
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
  // Percent-encoding can make the stored form nine times as long as what was typed.
  if (url.href.length > URL_LENGTH_MAX) return tooLong;
  return { ok: true, url, origin: url.origin, path: url.pathname + url.search };
}

/** Makes parseTargetUrl for one policy with a memory: an endpoint's URL is the same in each of its many attempts. */
export function createTargetReader(policy: OutboundPolicy): (input: string) => TargetUrl {
  const targets = new LRUCache<string, TargetUrl>({ max: TARGETS_MAX });
  return (input) => {
    let target = targets.get(input);
    if (target === undefined) {
      target = parseTargetUrl(input, policy);
      if (target.ok) targets.set(input, target);
    }
    return target;
  };
}

/** The host as `net.isIP` and DNS know it: IPv6 literals without their brackets. */
export function bareHost(hostname: string): string {
  return hostname.startsWith('[') ? hostname.slice(1, -1) : hostname;
}

function refuse(reason: UrlFault, message: string): TargetUrl {
  return { ok: false, reason, message };
}

const tooLong = refuse('too_long', `The URL must be at most ${URL_LENGTH_MAX} characters long.`);
