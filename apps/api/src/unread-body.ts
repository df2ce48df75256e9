// Requests that are answered before their body was read. Node reads such a body to its end, because the next request of the
// connection comes after it. For a long body we end the connection.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { mayBeLonger } from '@service/rest';
import type { RequestHandler } from 'express';

/** A body up to this size is read to its end, because that costs less than a new connection. */
const shortBodyMaxBytes = 64 * 1024;

/** Bytes that are read after the answer, for clients that read the answer only after sending everything. */
const discardedMaxBytes = 4 * 1024 * 1024;

/** Time for a client to read the answer. Closing at once would reset the connection, and the client would lose the answer. */
const lingerMs = 2000;

/** Answers `Connection: close` and ends the connection when a long body was not read. */
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
  let discarded = 0;
  request.on('data', (chunk: Buffer) => {
    discarded += chunk.length;
    if (discarded > discardedMaxBytes) request.pause();
  });
  // Node calls destroySoon at the end of an answer that closes its connection.
  const { socket } = request;
  const destroySoon = socket.destroySoon.bind(socket);
  socket.destroySoon = () => {
    if (request.complete) return destroySoon();
    socket.end(() => {
      const timer = setTimeout(() => socket.destroy(), lingerMs).unref();
      socket.once('close', () => clearTimeout(timer));
    });
    request.once('end', destroySoon);
  };
}
