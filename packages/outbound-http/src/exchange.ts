// One request and its answer on one connection: the part that talks to undici's handler interface.
import type { IncomingHttpHeaders } from 'node:http';
import type { Dispatcher } from 'undici';
import type { Deadline, Stoppable } from './deadline.ts';
import type { Opening } from './openings.ts';
import type { OutboundRequest } from './send.ts';
import type { Target } from './target-url.ts';

export interface Hop {
  request: OutboundRequest;
  target: Target;
  deadline: Deadline;
}

interface Course {
  connected: boolean;
  /** Of the connection that was opened for this request, as far as it got. */
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

// What is not kept of a short body is still read: cheaper than losing the connection and its TLS handshake.
const READ_TO_END_BYTES = 16 * 1024;

// How often a request is sent anew because the idle connection it waited for was found dead.
const DEAD_CONNECTIONS_MAX = 3;

const ENOUGH = new Error('enough of the body was read');
const ENDED = new Error('the request is no longer wanted');
const EMPTY = Buffer.alloc(0);

/**
 * Sends one request. Once the headers are in, the answer stands: a body that drips, breaks off or never ends gives an
 * answer with what came. Never rejects.
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

  /** Ends it early: with the answer when its headers are in. */
  stop(): void {
    if (this.#statusCode === 0) {
      this.#settle({ kind: 'ended', connected: this.#controller !== undefined, opening: this.#opening });
    } else this.#settleAnswer(false);
    this.#controller?.abort(ENDED);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    // A request whose time ended in the queue. Throwing drops it alone; controller.abort would also destroy the
    // connection, which the requests behind it are about to use.
    if (this.#settled) throw ENDED;
    this.#controller = controller;
    this.#opening = this.#hop.request.agent.openings.ready;
  }

  onResponseStart(_: unknown, status: number, headers: IncomingHttpHeaders): void {
    // 103 Early Hints and its like come before the answer.
    if (status < 200) return;
    this.#statusCode = status;
    this.#headers = headers;
    this.#headersAt = performance.now();
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    const keepBytes = this.#keepBytes;
    if (this.#size < keepBytes) (this.#chunks ??= []).push(chunk);
    this.#size += chunk.length;
    if (this.#settled || this.#size <= keepBytes) return;
    const announced = Number(this.#headers!['content-length']);
    if (this.#size > READ_TO_END_BYTES || announced > READ_TO_END_BYTES) {
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
      // In the next turn, when the idle connections that died together with this one are known.
      setImmediate(() => {
        if (!this.#settled) this.send();
      });
      return;
    }
    const connected = wasIdle || this.#controller !== undefined;
    this.#settle({ kind: 'error', error, connected, opening: this.#opening });
  }

  /**
   * True when a connection that was open before broke under a request that had not been started. After a reset undici
   * fails what waits for the connection; after an orderly end it dials anew by itself.
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
