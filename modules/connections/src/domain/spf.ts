// SPF by RFC 7208, as far as it can be judged without a sending address: syntax, includes and the number of look-ups.
import { isIP } from 'node:net';
import type { DnsAnswer } from './dns.ts';

export interface SpfTerm {
  /** `include`, `a`, `redirect` and so on, in lower case. Empty: a modifier without a meaning here. */
  name: string;
  /** Of a mechanism. */
  qualifier: '+' | '-' | '~' | '?';
  /** The text after `:` or `=`, in lower case. */
  value: string | undefined;
}

export type SpfRecord = { kind: 'valid'; terms: SpfTerm[] } | { kind: 'invalid'; problem: string };

const mechanism =
  /^([+\-~?])?(all|include|a|mx|ptr|ip4|ip6|exists)(?::([^/]+|.+))?((?:\/\d{1,3})?(?:\/\/\d{1,3})?)$/i;
const modifier = /^([a-z][\w.-]*)=(.*)$/i;
const termsMax = 200;

export const isSpf = (text: string): boolean => /^v=spf1(?: |$)/i.test(text);

/** Reads a record that begins with `v=spf1`. */
export function readSpf(record: string): SpfRecord {
  const terms: SpfTerm[] = [];
  for (const text of record.split(/ +/).slice(1, termsMax)) {
    if (text === '') continue;
    const term = readTerm(text);
    if (!term) return { kind: 'invalid', problem: `“${text.slice(0, 100)}” is not a term of SPF.` };
    terms.push(term);
  }
  for (const once of ['redirect', 'exp'])
    if (terms.filter(({ name }) => name === once).length > 1)
      return { kind: 'invalid', problem: `“${once}” appears twice.` };
  return { kind: 'valid', terms };
}

function readTerm(text: string): SpfTerm | undefined {
  const found = mechanism.exec(text);
  if (found) {
    const [, qualifier = '+', given, target, lengths = ''] = found;
    const term = {
      name: given!.toLowerCase(),
      qualifier: qualifier as SpfTerm['qualifier'],
      value: target?.toLowerCase(),
    };
    return isComplete(term, lengths) ? term : undefined;
  }
  const [, name, value] = modifier.exec(text) ?? [];
  if (name === undefined) return undefined;
  const isKnown = /^(?:redirect|exp)$/i.test(name);
  return { name: isKnown ? name.toLowerCase() : '', qualifier: '+', value: value!.toLowerCase() };
}

function isComplete({ name, value }: SpfTerm, lengths: string): boolean {
  switch (name) {
    case 'all':
      return value === undefined && lengths === '';
    case 'include':
    case 'exists':
      return value !== undefined && lengths === '';
    case 'ip4':
    case 'ip6': {
      const bits = name === 'ip4' ? 32 : 128;
      return (
        isIP(value ?? '') === Number(name.at(-1)) &&
        /^(?:\/\d+)?$/.test(lengths) &&
        Number(lengths.slice(1)) <= bits
      );
    }
    default:
      return true;
  }
}

/** The judgement of a host that mails are sent from. `permerror` and `unanswered` are the errors of RFC 7208. */
export type SpfResult =
  | { kind: 'none' }
  | { kind: 'unanswered' }
  | { kind: 'permerror'; problem: string; records: string[] }
  | {
      kind: 'valid';
      record: string;
      lookups: number;
      included: ReadonlySet<string>;
      all: SpfTerm['qualifier'] | undefined;
    };

/** RFC 7208, 4.6.4. */
const lookupsMax = 10;

type ReadTexts = (host: string) => Promise<DnsAnswer>;

/**
 * Follows `include` and `redirect` from a host and counts all terms that need a look-up. Names with macros are counted, but not
 * followed, because they depend on the mail.
 */
export async function judgeSpf(host: string, readTexts: ReadTexts): Promise<SpfResult> {
  const walk = { lookups: 0, included: new Set<string>(), readTexts };
  return follow(host, walk);
}

interface Walk {
  lookups: number;
  included: Set<string>;
  readTexts: ReadTexts;
}

async function follow(host: string, walk: Walk): Promise<SpfResult> {
  const answer = await walk.readTexts(host);
  if (answer.kind === 'failed') return { kind: 'unanswered' };
  const records = answer.kind === 'found' ? answer.values.filter(isSpf) : [];
  const [record] = records;
  if (record === undefined) return { kind: 'none' };
  const permerror = (problem: string): SpfResult => ({ kind: 'permerror', problem, records });
  if (records.length > 1)
    return permerror(`${host} has ${records.length} SPF records. Receivers accept one only.`);
  const read = readSpf(record);
  if (read.kind === 'invalid') return permerror(read.problem);
  const { terms } = read;
  const all = terms.find(({ name }) => name === 'all');
  for (const { name, value } of terms) {
    if (name === 'all') break;
    const isFollowed = name === 'include' || name === 'redirect';
    if (!isFollowed && !['a', 'mx', 'ptr', 'exists'].includes(name)) continue;
    // RFC 7208, 6.1: `redirect` is ignored beside `all`.
    if (name === 'redirect' && all) continue;
    walk.lookups += 1;
    if (walk.lookups > lookupsMax)
      return permerror(
        `The record needs more than ${lookupsMax} look-ups. Receivers stop there and refuse it.`,
      );
    if (!isFollowed || value!.includes('%{')) continue;
    walk.included.add(value!);
    const inner = await follow(value!, walk);
    if (inner.kind === 'none')
      return permerror(`${value} has no SPF record, but the one of ${host} names it.`);
    if (inner.kind === 'permerror') return permerror(inner.problem);
    if (inner.kind === 'unanswered') return inner;
  }
  return { kind: 'valid', record, lookups: walk.lookups, included: walk.included, all: all?.qualifier };
}

/** The record with one more include, before everything that exists. */
export const withInclude = (record: string, target: string): string =>
  record.replace(/^(v=spf1)/i, `$1 include:${target}`);
