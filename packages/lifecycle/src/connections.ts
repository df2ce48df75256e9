// Connections of the HTTP servers of a process, with a limit to everything that a client can make of them: their number, the
// requests of one, and the requests that it sends before it has the answer to an earlier one.
//
// Node calls the handler for each request as soon as it has read its head, also while an earlier answer of the connection is not
// sent. Such an answer has no socket yet. When the client goes away it never gets one, it never closes, and all that waits for its
// end stays open. So a request is handled when its answer has the socket. Node gives it the socket after the earlier answers.
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { watchUnread, type AnswerLimits, type UnreadAnswers } from './unread-answers.ts';

export interface ConnectionLimits extends AnswerLimits {
  /** Open connections of the process. A further one is closed at once. */
  connectionsMax: number;
  /** Open connections of one address, unless it is a trusted proxy. */
  addressConnectionsMax: number;
  /** Requests of one connection. The answer to the last one says `Connection: close`, and a client then opens another. */
  requestsMax: number;
  /** Requests that wait for an earlier answer of their connection. The answer to the last one says `Connection: close`. */
  waitingMax: number;
  /** Waiting requests of the process. Then one may wait on each connection. */
  totalWaitingMax: number;
}

interface ConnectionsOptions {
  limits: ConnectionLimits;
  /** Maps all addresses of one caller to one key. */
  keyOf?: (address: string) => string;
  /** Clients of a trusted proxy share its address. */
  isTrustedProxy?: (address: string) => boolean;
}

export interface Connection {
  socket: Socket;
  /** The key of the client's address. Undefined for a trusted proxy. */
  address: string | undefined;
  requests: number;
  waiting: number;
  /** The answer to the request that is handled, or was handled last. */
  response: ServerResponse | undefined;
  /** No further request is accepted. */
  isLast: boolean;
}

export interface Connections {
  /** Handles the requests of a server, those of one connection one after the other. */
  serve(server: Server, handler: RequestListener): void;
  /** The answer that a connection sends, or has sent last. */
  responseOf(socket: object): ServerResponse | undefined;
  figures(): ConnectionFigures;
  close(): void;
}

export interface ConnectionFigures extends UnreadAnswers {
  open: number;
  /** Refused since the start, because the process or an address had too many. */
  refused: Readonly<Record<'process' | 'address', number>>;
}

/**
 * Limits for a process that may open so many descriptors; undefined where that is unknown. The others are for the database and for
 * files. Four addresses can use up all connections, and an office or a mobile network behind one address has plenty.
 */
export function connectionLimitsFor(descriptorLimit = 12_600): ConnectionLimits {
  const left = Math.floor((descriptorLimit - ownDescriptors) * 0.8);
  const connectionsMax = Math.min(connectionsCeiling, Math.max(connectionsFloor, left));
  return {
    connectionsMax,
    addressConnectionsMax: Math.ceil(connectionsMax / 4),
    requestsMax: 1000,
    waitingMax: 10,
    totalWaitingMax: 2000,
    stalledMaxMs: 20_000,
    unsentMaxBytes: 16 * megabyte,
    ownerUnsentMaxBytes: 64 * megabyte,
    totalUnsentMaxBytes: 256 * megabyte,
    checkEveryMs: 1000,
  };
}

/** The connections to the database, the log and some files. */
const ownDescriptors = 100;

/** For a process with a very low limit, so that it answers at all. */
const connectionsFloor = 10;

/** The event streams of a full process and some more. An open connection takes about 20 kB. */
const connectionsCeiling = 25_000;

const megabyte = 1024 * 1024;

/**
 * Node looks every 30 s by default for clients that send too slowly (`headersTimeout`, `requestTimeout`). A body that nothing reads yet
 * takes 64 kB by default, which is 17 MB of memory if the client sends it in chunks of one byte.
 */
export const serverOptions = { connectionsCheckingInterval: 5000, highWaterMark: 16 * 1024 } as const;

/** Connections of all servers of a process together. */
export function createConnections({
  limits,
  keyOf = (address) => address,
  isTrustedProxy = () => false,
}: ConnectionsOptions): Connections {
  const bySocket = new Map<object, Connection>();
  const countByAddress = new Map<string, number>();
  const refused = { process: 0, address: 0 };
  let totalWaiting = 0;
  const unread = watchUnread(bySocket, limits);

  const findReason = (address: string | undefined): keyof typeof refused | undefined => {
    if (bySocket.size >= limits.connectionsMax) return 'process';
    const ofAddress = address === undefined ? 0 : (countByAddress.get(address) ?? 0);
    return ofAddress >= limits.addressConnectionsMax ? 'address' : undefined;
  };

  const accept = (socket: Socket): void => {
    const peer = socket.remoteAddress ?? '';
    const address = isTrustedProxy(peer) ? undefined : keyOf(peer);
    const reason = findReason(address);
    if (reason !== undefined) {
      refused[reason] += 1;
      socket.destroy();
      return;
    }
    bySocket.set(socket, { socket, address, requests: 0, waiting: 0, response: undefined, isLast: false });
    unread.start();
    if (address !== undefined) countByAddress.set(address, (countByAddress.get(address) ?? 0) + 1);
    socket.once('close', () => {
      totalWaiting -= bySocket.get(socket)!.waiting;
      bySocket.delete(socket);
      if (address === undefined) return;
      const left = countByAddress.get(address)! - 1;
      if (left === 0) countByAddress.delete(address);
      else countByAddress.set(address, left);
    });
  };

  const receive = (request: IncomingMessage, response: ServerResponse, handler: RequestListener): void => {
    const connection = bySocket.get(request.socket);
    if (!connection) return;
    if (connection.isLast) return stopReading(request.socket);
    const handle = (): void => {
      connection.response = response;
      handler(request, response);
    };
    connection.requests += 1;
    const isWaitFull = connection.waiting >= limits.waitingMax - 1 || totalWaiting >= limits.totalWaitingMax;
    connection.isLast = connection.requests >= limits.requestsMax || (!response.socket && isWaitFull);
    if (connection.isLast) response.setHeader('Connection', 'close');
    if (response.socket) return handle();
    connection.waiting += 1;
    totalWaiting += 1;
    response.once('socket', (socket: Socket) => {
      connection.waiting -= 1;
      totalWaiting -= 1;
      // Requests of other connections come first, so that one that sends many at once does not occupy the thread.
      setImmediate(() => {
        if (socket.writable) handle();
      });
    });
  };

  return {
    serve(server, handler) {
      server.on('connection', accept);
      server.on('request', (request, response) => receive(request, response, handler));
      // Otherwise Node would answer by itself, before it is the turn of this request.
      server.on('checkExpectation', (request, response) => receive(request, response, refuseExpectation));
    },
    responseOf: (socket) => bySocket.get(socket)?.response,
    figures: () => ({ open: bySocket.size, refused: { ...refused }, ...unread.figures() }),
    close: () => unread.close(),
  };
}

const refuseExpectation: RequestListener = (_request, response) => void response.writeHead(417).end();

/** The bodies of the accepted requests have been read. Node would resume reading at the end of each answer. */
function stopReading(socket: Socket): void {
  socket.pause();
  socket.resume = () => socket;
}
