import compression from 'compression';
import type { RequestHandler } from 'express';

/** Smaller bodies gain less than the work costs, in bytes. */
const threshold = 1024;

/** Answers in Brotli or gzip to whoever takes them. What is sent bit by bit is left alone: it would wait in a buffer. */
export function compress(): RequestHandler {
  const handler = compression({ threshold, filter: isWorthIt });
  return (request, response, next) => {
    // Also on answers that are not compressed, 304 above all: a cache must know that there are others.
    response.vary('Accept-Encoding');
    handler(request, response, next);
  };
}

const isWorthIt: compression.CompressionFilter = (request, response) =>
  !String(response.getHeader('Content-Type')).startsWith('text/event-stream') &&
  compression.filter(request, response);
