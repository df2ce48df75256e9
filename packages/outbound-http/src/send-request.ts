import type { IncomingHttpHeaders } from 'node:http';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { startDeadline, type Deadline } from './deadline.ts';
import { exchange, type Exchange, type OutboundRequest } from './exchange.ts';
import { explainError, isOwnFault, type Failure } from './failure.ts';
import { parseTargetUrl } from './target-url.ts';
import { addOpening, type SendTimings } from './openings.ts';

interface Trace {
  /** The URLs of the redirects that were followed, in their order. */
  redirects: string[];
  durationMs: number;
  timings: SendTimings;
}

export type SendOutcome =
  | ({
      kind: 'response';
      statusCode: number;
      headers: IncomingHttpHeaders;
      /** The start of the body as text, without NUL and incomplete characters. */
      snippet: string;
      truncated: boolean;
    } & Trace)
  | ({
      kind: 'failed';
      failure: Failure;
      message: string;
      /** True when a part of the request was sent, so that the receiver may have acted on it. */
      mayHaveArrived: boolean;
    } & Trace);

/**
 * Sends one request and follows redirects (301, 302, 307 and 308) with the same method, headers and body. RFC 9110 15.4 allows
 * it, and a POST that becomes a GET would count as delivered. 303 requires a GET, so it is returned. Every behaviour of the
 * receiver results in an outcome. Rejects only when the caller aborts, when the agent is closed, or when a header cannot be sent.
 */
export async function sendRequest(request: OutboundRequest): Promise<SendOutcome> {
  const startedAt = performance.now();
  const { agent, maxRedirects = 3, signal } = request;
  const redirects: string[] = [];
  const timings: SendTimings = { dnsMs: null, connectMs: null, tlsMs: null, firstByteMs: null };
  let mayHaveArrived = false;
  const fail = (failure: Failure, message: string): SendOutcome => {
    const durationMs = elapsedMs(startedAt);
    return { kind: 'failed', failure, message, mayHaveArrived, redirects, durationMs, timings };
  };

  signal?.throwIfAborted();
  let target = agent.readTarget(request.url);
  if (!target.ok) return fail('invalid_url', target.message);
  const deadline = startDeadline(request.deadlineMs, signal);
  let hopStartedAt = startedAt;
  try {
    for (;;) {
      const hop = await exchange({ request, target, deadline });
      if (hop.opening !== undefined) addOpening(timings, hop.opening, hopStartedAt);
      timings.firstByteMs = hop.kind === 'answer' ? Math.round(hop.headersAt - startedAt) : null;
      if (deadline.ended === 'aborted') throw signal!.reason;
      mayHaveArrived = hop.wasStarted;
      if (hop.kind === 'ended') return fail('timeout', explainTimeout(hop.connected, deadline));
      if (hop.kind === 'error') {
        if (isOwnFault(hop.error)) throw hop.error;
        const { failure, message } = explainError(hop.error, target.url.protocol, hop.connected);
        return fail(failure, message);
      }
      const location = findLocation(hop);
      if (location === undefined) {
        const { statusCode, truncated } = hop;
        return {
          kind: 'response',
          statusCode,
          headers: hop.headers,
          snippet: bytesToSnippet(hop.body, truncated),
          truncated,
          redirects,
          durationMs: elapsedMs(startedAt),
          timings,
        };
      }
      if (deadline.ended !== undefined) return fail('timeout', explainTimeout(true, deadline));
      if (redirects.length >= maxRedirects) {
        return fail('too_many_redirects', `The receiver redirected more than ${maxRedirects} times.`);
      }
      target = parseTargetUrl(location, agent.policy, target.url);
      if (!target.ok) return fail('invalid_redirect', `The redirect cannot be followed. ${target.message}`);
      redirects.push(target.url.href);
      // undici frees the connection in the next turn. Then a hop to the same origin can use it.
      await nextTurn();
      hopStartedAt = performance.now();
    }
  } finally {
    deadline.stop();
  }
}

const elapsedMs = (startedAt: number): number => Math.round(performance.now() - startedAt);

function findLocation(hop: Extract<Exchange, { kind: 'answer' }>): string | undefined {
  switch (hop.statusCode) {
    case 301:
    case 302:
    case 307:
    case 308:
      // A repeated header is an array.
      return [hop.headers.location].flat()[0];
    default:
      return undefined;
  }
}

function explainTimeout(connected: boolean, deadline: Deadline): string {
  return `${connected ? 'No answer came' : 'No connection could be made'} within ${deadline.durationMs} ms.`;
}

/** Converts the first bytes of a body to text for Postgres: UTF-8 without an incomplete last character and without NUL. */
export function bytesToSnippet(bytes: Buffer, truncated: boolean): string {
  const whole = truncated ? bytes.subarray(0, endOfLastCharacter(bytes)) : bytes;
  const text = whole.toString('utf8');
  return text.includes('\0') ? text.replaceAll('\0', '') : text;
}

function endOfLastCharacter(bytes: Buffer): number {
  // A UTF-8 character has at most four bytes. All but the first are 10xxxxxx (RFC 3629).
  for (let back = 1; back <= Math.min(4, bytes.length); back++) {
    const byte = bytes[bytes.length - back]!;
    if ((byte & 0b1100_0000) === 0b1000_0000) continue;
    return characterLength(byte) > back ? bytes.length - back : bytes.length;
  }
  return bytes.length;
}

function characterLength(firstByte: number): number {
  if (firstByte >= 0b1111_0000) return 4;
  if (firstByte >= 0b1110_0000) return 3;
  return firstByte >= 0b1100_0000 ? 2 : 1;
}
