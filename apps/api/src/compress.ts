import compression from 'compression';
import type { RequestHandler } from 'express';

/** In bytes. Compressing a smaller body costs more than it saves. */
const threshold = 1024;

/** Compresses answers with Brotli or gzip. Streams are not compressed: their events would wait in a buffer. */
export function compress(): RequestHandler {
  const handler = compression({ threshold, filter: isWorthIt });
  return (request, response, next) => {
    // Also on uncompressed answers and on 304: a cache must know that there are several variants.
    response.vary('Accept-Encoding');
    handler(request, response, next);
  };
}

const isWorthIt: compression.CompressionFilter = (request, response) =>
  !String(response.getHeader('Content-Type')).startsWith('text/event-stream') &&
  compression.filter(request, response);
