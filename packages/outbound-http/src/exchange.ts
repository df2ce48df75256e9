// One request and its answer on one connection, with undici's handler interface.
import type { IncomingHttpHeaders } from 'node:http';
import type { Dispatcher } from 'undici';
import type { OutboundAgent } from './agent.ts';
import type { Deadline, Stoppable } from './deadline.ts';
import type { Opening } from './openings.ts';
import type { Target } from './target-url.ts';

export interface OutboundRequest {
  agent: OutboundAgent;
  url: string;
  method: string;
  /**
   * An object, or a list of names and values in turn, which costs undici less. Sent on every hop. Must not contain `host` or
   * `content-length`, which follow from the URL and the body.
   */
  headers: Record<string, string> | string[];
  /** A Buffer is sent unchanged. A text is encoded for each hop. */
  body: string | Uint8Array;
  /** The limit of queue, DNS, connect, TLS, headers, body and all redirects together, in milliseconds. */
  deadlineMs: number;
  /** Bytes of the answer's body that are kept; 2,048. */
  maxResponseBytes?: number;
  maxRedirects?: number;
  signal?: AbortSignal;
}

export interface Hop {
  request: OutboundRequest;
  target: Target;
  deadline: Deadline;
}

interface Course {
  connected: boolean;
  /** False when no byte of the request was sent. */
  wasStarted: boolean;
  /** The steps of the connection that was opened for this request. */
  opening: Opening | undefined;
}

export type Exchange =
  | (Course & {
      kind: 'answer';
      statusCode: number;
      headers: IncomingHttpHeaders;
      /** By performance.now(). */
      headersAt: number;
      body: Buffer;
      truncated: boolean;
    })
  | (Course & { kind: 'error'; error: Error })
  | (Course & { kind: 'ended' });

const KEEP_BYTES = 2048;

// The rest of a short body is read and dropped, which costs less than a new connection with a TLS handshake.
const READ_TO_END_BYTES = 16 * 1024;

// Each chunk costs memory and time, however short it is. With so many chunks of a body, they must have this many bytes on average.
const SHORT_CHUNKS_MAX = 1000;
const CHUNK_BYTES_MIN = 64;

// Repetitions of a request whose idle connection was dead before the request was started.
const DEAD_CONNECTIONS_MAX = 3;

const ENOUGH = new Error('enough of the body was read');
const ENDED = new Error('the request is no longer wanted');
const EMPTY = Buffer.alloc(0);

/**
 * Sends one request. After the headers the answer is certain: a body that is slow, interrupted or endless results in an answer
 * with its first part. Never rejects.
 */
export function exchange(hop: Hop): Promise<Exchange> {
  return new Promise((resolve) => new Handler(hop, resolve).send());
}

class Handler implements Dispatcher.DispatchHandler, Stoppable {
  readonly #hop: Hop;
  readonly #resolve: (result: Exchange) => void;
  readonly #keepBytes: number;
  #opening: Opening | undefined;
  #controller: Dispatcher.DispatchController | undefined;
  #statusCode = 0;
  #headers: IncomingHttpHeaders | undefined;
  #headersAt = 0;
  #chunks: Buffer[] | undefined;
  #size = 0;
  #count = 0;
  #settled = false;
  #deadConnections = 0;

  constructor(hop: Hop, resolve: (result: Exchange) => void) {
    this.#hop = hop;
    this.#resolve = resolve;
    this.#keepBytes = hop.request.maxResponseBytes ?? KEEP_BYTES;
  }

  send(): void {
    const { request, target, deadline } = this.#hop;
    if (deadline.ended !== undefined) return this.stop();
    deadline.atWork = this;
    const { dispatcher, openings } = request.agent;
    const { method, headers, body } = request;
    const { origin, path } = target;
    openings.begun = undefined;
    dispatcher.dispatch({ origin, path, method, headers, body }, this);
    if (this.#controller === undefined) this.#opening = openings.begun;
  }

  /** Ends the request early, with the answer if its headers have arrived. */
  stop(): void {
    if (this.#statusCode === 0) {
      const wasStarted = this.#controller !== undefined;
      this.#settle({ kind: 'ended', connected: wasStarted, wasStarted, opening: this.#opening });
    } else this.#settleAnswer(false);
    this.#controller?.abort(ENDED);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    // The deadline passed in the queue. Throwing drops only this request. controller.abort would also destroy the connection for
    // the requests behind it.
    if (this.#settled) throw ENDED;
    this.#controller = controller;
    this.#opening = this.#hop.request.agent.openings.ready;
  }

  onResponseStart(_: unknown, status: number, headers: IncomingHttpHeaders): void {
    // 103 Early Hints and other 1xx responses come before the answer.
    if (status < 200) return;
    this.#statusCode = status;
    this.#headers = headers;
    this.#headersAt = performance.now();
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    const keepBytes = this.#keepBytes;
    if (this.#size < keepBytes) (this.#chunks ??= []).push(chunk);
    this.#size += chunk.length;
    this.#count += 1;
    const isScattered = this.#count > SHORT_CHUNKS_MAX && this.#size < this.#count * CHUNK_BYTES_MIN;
    if (this.#settled || (this.#size <= keepBytes && !isScattered)) return;
    const announced = Number(this.#headers!['content-length']);
    if (isScattered || this.#size > READ_TO_END_BYTES || announced > READ_TO_END_BYTES) {
      this.#settleAnswer(false);
      controller.abort(ENOUGH);
    }
  }

  onResponseEnd(): void {
    if (!this.#settled) this.#settleAnswer(true);
  }

  onResponseError(_: unknown, error: Error): void {
    if (this.#settled) return;
    if (this.#statusCode !== 0) return this.#settleAnswer(false);
    const wasIdle = this.#wasIdle(error);
    if (wasIdle && this.#deadConnections++ < DEAD_CONNECTIONS_MAX) {
      // In the next turn, when undici has noticed the other idle connections that ended at the same time.
      setImmediate(() => {
        if (!this.#settled) this.send();
      });
      return;
    }
    const wasStarted = this.#controller !== undefined;
    this.#settle({
      kind: 'error',
      error,
      connected: wasIdle || wasStarted,
      wasStarted,
      opening: this.#opening,
    });
  }

  /**
   * True when an idle connection broke before this request was started. After a reset undici fails the requests that wait for the
   * connection. After an orderly end it connects again.
   */
  #wasIdle(error: Error): boolean {
    if (this.#controller !== undefined || this.#opening !== undefined) return false;
    return 'syscall' in error && error.syscall === 'read';
  }

  #settleAnswer(complete: boolean): void {
    const keepBytes = this.#keepBytes;
    this.#settle({
      kind: 'answer',
      statusCode: this.#statusCode,
      headers: this.#headers!,
      headersAt: this.#headersAt,
      body: joinUpTo(keepBytes, this.#chunks),
      truncated: !complete || this.#size > keepBytes,
      connected: true,
      wasStarted: true,
      opening: this.#opening,
    });
  }

  #settle(result: Exchange): void {
    this.#settled = true;
    this.#hop.deadline.atWork = undefined;
    this.#resolve(result);
  }
}

function joinUpTo(limit: number, chunks: Buffer[] | undefined): Buffer {
  if (chunks === undefined) return EMPTY;
  const joined = chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks);
  return joined.subarray(0, limit);
}
