// The number of requests of each fuzzer, its seed, and texts that no answer may contain.
import { createLog } from '@service/log';
import { testApi, type TestApi } from '../support/api.ts';

/** Another one finds other things. */
export const seed = Number(process.env['SEED'] ?? 20_261_120);

/** `npm test` runs a fifth of a share of most fuzzers; that of OAuth has at least one. `npm run fuzz` sets eight shares, or what it is given. */
const scale = Number(process.env['FUZZ_SCALE'] ?? 1 / 5);

/** The requests for a share, and at least `min`: with fewer of them some answers are never seen. */
export const requestsFor = (share: number, min = 1): number => Math.max(min, Math.ceil(share * scale));

/** Long enough for any number of requests on a machine that does other things too. */
export const timeoutFor = (requests: number): number => 120_000 + requests * 60;

/** Prints why a request failed, beside the finding. */
export const failureLog = createLog('fuzz', { level: 'error' });

/** An API for requests that each come from an address of their own, because the refused ones of one address are soon limited. */
export const startManyAddressApi = (): Promise<TestApi> =>
  testApi({ log: failureLog, options: { trustedProxies: ['127.0.0.1', '::1'] } });

/** Internals that no answer may contain. A statement stands in one JSON text; a batch may have both its words in two messages. */
export const leaks =
  /\bat .*\(.*:\d+:\d+\)|node_modules|SQLSTATE|\bselect\b[^"]*\bfrom\b|\binsert into\b|relation "|syntax error at|violates \S+ constraint|duplicate key value|invalid input syntax|invalid byte sequence/i;

/** The problem that an answer has when it shows what it must not. */
export function leakIn(text: string): string[] {
  const leak = leaks.exec(text);
  return leak ? [`shows ${leak[0]}`] : [];
}

/** Undefined for a text that is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
