import { z } from 'zod';
import type { OutboundAgent } from './agent.ts';
import { sendRequest } from './send-request.ts';

/** An answer of an API. Only the first bytes of its body are kept. */
export interface ApiAnswer {
  status: number;
  /** With names in lower case. The first value where a header is repeated. */
  headers: Record<string, string | undefined>;
  /** Undefined when the body is not JSON. */
  json: unknown;
  text: string;
}

export interface ApiCall {
  agent: OutboundAgent;
  url: string;
  method: string;
  /** With names in lower case. */
  headers: Record<string, string>;
  /** Sent as JSON. */
  body?: unknown;
  deadlineMs: number;
  /** Bytes of the answer that are kept; 2,048. */
  maxResponseBytes?: number;
  signal: AbortSignal;
}

/**
 * Calls the API of a provider once. Redirects are not followed, because they would carry the key to another host. Never rejects: without an
 * answer it says why, and whether the call may have arrived.
 */
export async function callApi(call: ApiCall): Promise<ApiAnswer | { lost: string; mayHaveArrived: boolean }> {
  const { headers, body, signal, ...rest } = call;
  if (signal.aborted) return { lost: 'The call was stopped.', mayHaveArrived: false };
  const outcome = await sendRequest({
    ...rest,
    headers: { accept: 'application/json', 'content-type': 'application/json', ...headers },
    body: body === undefined ? '' : JSON.stringify(body),
    maxRedirects: 0,
    signal,
  }).catch((error: unknown) => ({
    kind: 'failed' as const,
    // The caller stopped, or the agent was closed. Both can happen after the request was sent.
    message: signal.aborted ? 'The call was stopped before an answer came.' : String(error),
    failure: 'reset' as const,
    mayHaveArrived: true,
  }));
  if (outcome.kind === 'failed') {
    // A redirect is an answer: nothing was accepted.
    const mayHaveArrived = outcome.mayHaveArrived && outcome.failure !== 'too_many_redirects';
    return { lost: outcome.message, mayHaveArrived };
  }
  const { statusCode: status, snippet: text } = outcome;
  const entries = Object.entries(outcome.headers).map(([name, value]) => [name, [value].flat()[0]]);
  return { status, headers: Object.fromEntries(entries), json: readJson(text), text };
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const waitMaxMs = 24 * 60 * 60 * 1000;
const waitHeaders = ['retry-after', 'ratelimit-reset', 'x-ratelimit-reset', 'x-sib-ratelimit-reset'];
const unixTime = /^[1-9]\d{9,}$/;

/** The wait that the headers ask for, in milliseconds and at most a day: as in `Retry-After`, or until a Unix time. */
export function readWait(headers: ApiAnswer['headers'], now = Date.now()): number | undefined {
  for (const name of waitHeaders) {
    const value = headers[name] ?? '';
    const waitMs = unixTime.test(value) ? Number(value) * 1000 - now : readRetryAfter(value, now);
    if (waitMs !== undefined) return Math.min(Math.max(0, waitMs), waitMaxMs);
  }
  return undefined;
}

/**
 * Milliseconds of a `Retry-After` header: a whole number of seconds, or a date (RFC 9110 10.2.3). Of several, the first counts. Undefined for
 * any other value.
 */
export function readRetryAfter(header: string | string[] | undefined, now: number): number | undefined {
  const value = [header].flat()[0]?.trim() ?? '';
  if (/^\d+$/.test(value)) return Number(value) * 1000;
  // Every form of an HTTP date begins with a day of the week. Date.parse alone would read "-1" as a year.
  const at = /^(mon|tue|wed|thu|fri|sat|sun)/i.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(at) ? undefined : Math.max(0, at - now);
}

/** The metadata of each field of a credential: `schema.shape.key.meta()`. */
export interface FieldText {
  label: string;
  placeholder: string;
  /** The place at the provider where the value is shown. */
  help: string;
  /** Must never be shown again, and is removed from every reason. */
  isSecret: boolean;
}

/** The field of a key. Printable ASCII without spaces, because it is sent in a header. */
export const keyField = (text: Omit<FieldText, 'isSecret'>) =>
  z
    .string()
    .trim()
    .regex(/^[!-~]{8,300}$/, 'This is not a key.')
    .meta({ ...text, isSecret: true });

/** The names of the secret fields of a credential, in the order of its schema. */
export const secretNamesOf = ({ shape }: { shape: Readonly<Record<string, z.ZodType>> }): string[] =>
  Object.entries(shape)
    .filter(([, field]) => (field.meta() as Partial<FieldText> | undefined)?.isSecret)
    .map(([name]) => name);
