// Node refuses some requests before a handler runs: requests that are not HTTP, and headers that are too large or too slow.
// Its own answers have no body.
import { STATUS_CODES, type Server, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { createId } from '@service/database';
import { commonErrors, type AppError } from '@service/errors';
import { errorToAnswer } from '@service/rest';

/** Time for a client to fetch the answer; then the connection is destroyed. */
const lingerMs = 1000;

interface ClientErrorOptions {
  docsUrl: string;
  /** The answer that a connection sends, or has sent last. */
  responseOf: (socket: Duplex) => ServerResponse | undefined;
}

/** Answers these refusals in the shape of all errors. */
export function answerClientErrors(server: Server, { docsUrl, responseOf }: ClientErrorOptions): void {
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    const current = responseOf(socket);
    const isAnswering = current !== undefined && current.headersSent && !current.writableFinished;
    // The client would read a second head as part of the answer that has begun.
    if (!socket.writable || error.code === 'ECONNRESET' || isAnswering) {
      socket.destroy();
      return;
    }
    socket.end(toMessage(toRefusal(error), docsUrl), () => {
      const timer = setTimeout(() => socket.destroy(), lingerMs).unref();
      socket.once('close', () => clearTimeout(timer));
    });
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
