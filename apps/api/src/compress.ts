import compression from 'compression';
import { countBuffered } from '@service/lifecycle';
import type { RequestHandler, Response } from 'express';

/** In bytes. Compressing a smaller body costs more than it saves. */
const threshold = 1024;

/** Compresses answers with Brotli or gzip. Streams are not compressed: their events would wait in a buffer. */
export function compress(): RequestHandler {
  const handler = compression({ threshold, filter: isWorthIt });
  return (request, response, next) => {
    // Also on uncompressed answers and on 304: a cache must know that there are several variants.
    response.vary('Accept-Encoding');
    handler(request, response, () => {
      if (request.headers['accept-encoding'] !== undefined) countInput(response);
      next();
    });
  };
}

/** The input waits in the compression while the client does not read, and the socket shows only the output. */
function countInput(response: Response): void {
  let isOurs: boolean | undefined;
  for (const method of ['write', 'end'] as const) {
    const send = response[method].bind(response) as (...rest: unknown[]) => never;
    response[method] = (...rest: unknown[]) => {
      const [chunk] = rest;
      const wasEncoded = response.hasHeader('Content-Encoding');
      const sent = send(...rest);
      isOurs ??= !wasEncoded && response.hasHeader('Content-Encoding');
      if (isOurs && (typeof chunk === 'string' || chunk instanceof Uint8Array))
        countBuffered(response, chunk.length);
      return sent;
    };
  }
}

const isWorthIt: compression.CompressionFilter = (request, response) =>
  !String(response.getHeader('Content-Type')).startsWith('text/event-stream') &&
  compression.filter(request, response);
