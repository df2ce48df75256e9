// Refusals outside of the surfaces, and the means by which refused callers cost the service little.
import { createId, databaseTime } from '@service/database';
import { commonErrors, type AppError } from '@service/errors';
import type { ConnectionLimits } from '@service/lifecycle';
import type { Log } from '@service/log';
import { errorToAnswer, addressKey, createBuckets, mayBeLonger } from '@service/rest';
import { errorOf, logFailure } from '@service/trpc';
import type { ErrorRequestHandler, RequestHandler, Response } from 'express';
import { STATUS_CODES, type Server, type ServerResponse, type IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';

interface FallbackHandlers {
  /** Refuses an HTTP/1.1 request without a Host header (RFC 9112, 3.2). */
  refuseWithoutHost: RequestHandler;
  /** For requests without a route. */
  notFound: RequestHandler;
  /** For unexpected errors. express would show the stack. */
  failed: ErrorRequestHandler;
}

/** JSON errors for requests outside the REST surface. */
export function createFallbackHandlers({ docsUrl, log }: { docsUrl: string; log: Log }): FallbackHandlers {
  const send = (response: Response, error: AppError, requestId: string): void => {
    const { status, body, headers } = errorToAnswer(error, { requestId, docsUrl });
    response
      .status(status)
      .set({ ...headers, 'X-Request-Id': requestId })
      .json(body);
  };
  return {
    refuseWithoutHost(request, response, next) {
      if (request.headers.host !== undefined || request.httpVersion === '1.0') return next();
      response.set('Connection', 'close');
      send(response, commonErrors.malformed_request(), createId());
    },
    notFound: (_request, response) => send(response, commonErrors.not_found(), createId()),
    failed(error, _request, response, _next) {
      const requestId = createId();
      const { status } = error as { status?: unknown };
      const isCallersFault = typeof status === 'number' && status >= 400 && status < 500;
      const refusal = isCallersFault ? commonErrors.malformed_request() : errorOf(error);
      logFailure(log, refusal, { message: 'A request failed', requestId });
      if (response.headersSent) response.destroy();
      else send(response, refusal, requestId);
    },
  };
}

interface ClientErrorOptions {
  docsUrl: string;
  /** The answer that a connection sends, or has sent last. */
  responseOf: (socket: Duplex) => ServerResponse | undefined;
}

/**
 * Answers the refusals of Node in the shape of all errors. Node refuses some requests before a handler runs: requests that are not
 * HTTP, and headers that are too large or too slow. Its own answers have no body.
 */
export function answerClientErrors(server: Server, { docsUrl, responseOf }: ClientErrorOptions): void {
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    const current = responseOf(socket);
    const isAnswering = current !== undefined && current.headersSent && !current.writableFinished;
    // The client would read a second head as part of the answer that has begun.
    if (!socket.writable || error.code === 'ECONNRESET' || isAnswering) {
      socket.destroy();
      return;
    }
    socket.end(toMessage(toRefusal(error), docsUrl), () => destroyAfter(socket, 1000));
  });
}

function toRefusal({ code }: NodeJS.ErrnoException): AppError {
  if (code === 'HPE_HEADER_OVERFLOW') return commonErrors.headers_too_large();
  if (code === 'HPE_CHUNK_EXTENSIONS_OVERFLOW') return commonErrors.body_too_large();
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return commonErrors.request_timeout();
  return commonErrors.malformed_request();
}

function toMessage(error: AppError, docsUrl: string): string {
  const requestId = createId();
  const { status, body } = errorToAnswer(error, { requestId, docsUrl });
  const json = JSON.stringify(body);
  return [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(json)}`,
    'Cache-Control: no-store',
    `X-Request-Id: ${requestId}`,
    'Connection: close',
    '',
    json,
  ].join('\r\n');
}

export interface LateRefusals {
  /** Refusals of an address that are answered at once: at the start, and each minute from then on. */
  burst: number;
  perMinute: number;
  /** The time by which others are late, in milliseconds. */
  lateMs: number;
  /** Refusals of all addresses that are late at once. Each occupies a connection, so further ones are answered at once. */
  waitingMax: number;
}

/** The connections of late refusals are at most a quarter of all. */
export const lateRefusalsFor = ({
  connectionsMax,
}: Pick<ConnectionLimits, 'connectionsMax'>): LateRefusals => ({
  burst: 200,
  perMinute: 120,
  lateMs: 1000,
  waitingMax: Math.min(2000, Math.floor(connectionsMax / 4)),
});

/** Without a valid credential, too much in one request, or too many requests. Mistakes in the input of a valid call are never late. */
const refusals: ReadonlySet<number> = new Set([401, 403, 410, 413, 429]);

/**
 * Sends the refusals of an address late while it has had too many of them. All other answers to the address are sent at once. A
 * program that repeats a refused call in a loop waits for each answer, so it costs the service a call a second for each of its
 * connections, and not as many as the thread can refuse.
 */
export function delayRefusals({ burst, perMinute, lateMs, waitingMax }: LateRefusals): RequestHandler {
  const atOnce = createBuckets({ burst, perMinute });
  let waiting = 0;

  const isLate = (response: Response): boolean =>
    refusals.has(response.statusCode) &&
    waiting < waitingMax &&
    atOnce.take(addressKey(response.req.ip ?? ''), databaseTime()) !== undefined;

  return (_request, response, next) => {
    const end = response.end.bind(response) as (...rest: unknown[]) => Response;
    const endLater = async (rest: unknown[]): Promise<void> => {
      waiting += 1;
      await delay(lateMs);
      waiting -= 1;
      end(...rest);
    };
    response.end = (...rest: unknown[]) => {
      response.end = end;
      if (!isLate(response)) return end(...rest);
      void endLater(rest);
      return response;
    };
    next();
  };
}

/** A body up to this size is read to its end, because that costs less than a new connection. */
const shortBodyMaxBytes = 64 * 1024;

/** Bytes that are read after the answer, for clients that read the answer only after sending everything. */
const discardedMaxBytes = 4 * 1024 * 1024;
/**
 * Chunks that are read after the answer. Each costs 2 µs, however short it is, and a paused request would keep 64 kB of chunks of one byte, in
 * 17 MB. So the connection is closed at once.
 */
const discardedMaxChunks = 4096;

/**
 * Answers `Connection: close` and ends the connection when a request was answered before its long body was read. Node would read the
 * body to its end, because the next request of the connection comes after it.
 */
export function closeUnread(): RequestHandler {
  return (request, response, next) => {
    if (mayBeLonger(request, shortBodyMaxBytes)) {
      beforeHead(response, () => {
        if (!request.complete) closeAfter(request, response);
      });
    }
    next();
  };
}

function beforeHead(response: ServerResponse, prepare: () => void): void {
  const writeHead = response.writeHead.bind(response) as (...head: unknown[]) => ServerResponse;
  response.writeHead = (...head: unknown[]) => {
    response.writeHead = writeHead;
    prepare();
    return writeHead(...head);
  };
}

function closeAfter(request: IncomingMessage, response: ServerResponse): void {
  response.setHeader('Connection', 'close');
  let bytes = 0;
  let chunks = 0;
  request.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    chunks += 1;
    if (chunks > discardedMaxChunks) request.destroy();
    else if (bytes > discardedMaxBytes) request.pause();
  });
  // Node calls destroySoon at the end of an answer that closes its connection.
  const { socket } = request;
  const destroySoon = socket.destroySoon.bind(socket);
  socket.destroySoon = () => {
    if (request.complete) return destroySoon();
    socket.end(() => destroyAfter(socket, 2000));
    request.once('end', destroySoon);
  };
}

/** Gives a client time to read the answer. Closing at once would reset the connection, and the client would lose the answer. */
function destroyAfter(socket: Duplex, lingerMs: number): void {
  const timer = setTimeout(() => socket.destroy(), lingerMs).unref();
  socket.once('close', () => clearTimeout(timer));
}
