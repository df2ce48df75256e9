// One request and its answer on one connection: the part that talks to undici's handler interface.
import type { IncomingHttpHeaders } from 'node:http';
import type { Dispatcher } from 'undici';
import type { Deadline } from './deadline.ts';

export interface Hop {
  dispatcher: Dispatcher;
  url: URL;
  method: string;
  headers: Record<string, string>;
  body: string | Uint8Array;
  keepBytes: number;
  deadline: Deadline;
}

export type Exchange =
  | { kind: 'answer'; statusCode: number; headers: IncomingHttpHeaders; body: Buffer; truncated: boolean }
  | { kind: 'error'; error: Error; connected: boolean }
  | { kind: 'ended'; connected: boolean };

// What is not kept of a short body is still read: cheaper than losing the connection and its TLS handshake.
const READ_TO_END_BYTES = 16 * 1024;

const ENOUGH = new Error('enough of the body was read');
const ENDED = new Error('the request is no longer wanted');

/**
 * Sends one request. Once the headers are in, the answer stands: a body that drips, breaks off or never ends gives an
 * answer with what came. Never rejects.
 */
export function exchange(hop: Hop): Promise<Exchange> {
  const { deadline, keepBytes } = hop;
  return new Promise((resolve) => {
    let controller: Dispatcher.DispatchController | undefined;
    let statusCode = 0;
    let headers: IncomingHttpHeaders = {};
    let chunks: Buffer[] | undefined;
    let size = 0;
    let settled = false;

    const settle = (result: Exchange): void => {
      settled = true;
      deadline.onEnd = undefined;
      resolve(result);
    };
    const answer = (complete: boolean): Exchange => {
      const truncated = !complete || size > keepBytes;
      return { kind: 'answer', statusCode, headers, body: joinUpTo(keepBytes, chunks), truncated };
    };
    const stop = (): void => {
      settle(statusCode === 0 ? { kind: 'ended', connected: controller !== undefined } : answer(false));
      controller?.abort(ENDED);
    };

    if (deadline.ended !== undefined) return stop();
    deadline.onEnd = stop;
    hop.dispatcher.dispatch(
      {
        origin: hop.url.origin,
        path: hop.url.pathname + hop.url.search,
        method: hop.method,
        headers: hop.headers,
        body: hop.body,
      },
      {
        onRequestStart(started) {
          // A request whose time ended in the queue. Throwing drops it alone; controller.abort would also destroy the
          // connection, which the requests behind it are about to use.
          if (settled) throw ENDED;
          controller = started;
        },
        onResponseStart(_, status, received) {
          // 103 Early Hints and its like come before the answer.
          if (status < 200) return;
          statusCode = status;
          headers = received;
        },
        onResponseData(started, chunk) {
          if (size < keepBytes) (chunks ??= []).push(chunk);
          size += chunk.length;
          if (settled || size <= keepBytes) return;
          if (size > READ_TO_END_BYTES || Number(headers['content-length']) > READ_TO_END_BYTES) {
            settle(answer(false));
            started.abort(ENOUGH);
          }
        },
        onResponseEnd() {
          if (!settled) settle(answer(true));
        },
        onResponseError(_, error) {
          if (settled) return;
          settle(
            statusCode === 0 ? { kind: 'error', error, connected: controller !== undefined } : answer(false),
          );
        },
      },
    );
  });
}

function joinUpTo(limit: number, chunks: Buffer[] | undefined): Buffer {
  if (chunks === undefined) return EMPTY;
  const joined = chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks);
  return joined.subarray(0, limit);
}

const EMPTY = Buffer.alloc(0);
