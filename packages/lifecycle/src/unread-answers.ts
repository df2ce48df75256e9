// Answers that their clients do not read. Their bytes wait in the memory of this process, so a client that asks for large answers
// and reads none would use it up. So the service checks all sockets: those of answers, files and event streams.
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

export interface AnswerLimits {
  /** The service ends a connection after this time without progress of its answer, in milliseconds. */
  stalledMaxMs: number;
  /** Unsent bytes of one connection. */
  unsentMaxBytes: number;
  /** Unsent bytes of one account, or of one address whose answers belong to no account. */
  ownerUnsentMaxBytes: number;
  /** Unsent bytes of the process. */
  totalUnsentMaxBytes: number;
  checkEveryMs: number;
}

export interface UnreadAnswers {
  unsentBytes: number;
  /** Connections that were ended since the start, because their client read nothing, or because too much waited for it. */
  ended: Readonly<Record<'stalled' | 'unsent', number>>;
}

// Properties of the answer: a WeakMap with an entry for each answer doubles the time of garbage collection.
const account = Symbol('account');
const buffered = Symbol('buffered');

interface CountedAnswer extends ServerResponse {
  [account]?: string;
  [buffered]?: number;
}

interface Connection {
  socket: Socket;
  address: string | undefined;
  response: CountedAnswer | undefined;
}

/** The state of an answer at a check. */
interface Unsent {
  connection: Connection;
  bytes: number;
  /** Changes with every byte that the client takes. */
  progress: string;
  /** Checks since the last progress. Time in which this process did not run at all is not counted. */
  idleChecks: number;
}

/** Counts the unsent bytes of an answer for an account. Without it they count for the address of the client. */
export function attributeAnswer(response: CountedAnswer, accountId: string): void {
  response[account] = accountId;
}

/** Counts bytes of an answer that may wait outside its socket. The input of a compression waits while the socket takes no output. */
export function countBuffered(response: CountedAnswer, bytes: number): void {
  response[buffered] = Math.max(response[buffered] ?? 0, bytes);
}

/** Ends connections whose clients do not read. The checks begin with `start` and end when there are no connections, or with `close`. */
export function watchUnread(
  connections: ReadonlyMap<object, Connection>,
  limits: AnswerLimits,
): { start(): void; figures(): UnreadAnswers; close(): void } {
  let timer: NodeJS.Timeout | undefined;
  const ended = { stalled: 0, unsent: 0 };
  let unsent = new Map<Connection, Unsent>();

  const end = ({ connection }: Unsent, reason: keyof typeof ended): void => {
    unsent.delete(connection);
    ended[reason] += 1;
    connection.socket.destroy();
  };

  /** The answers that have made no progress for the longest time are ended first; of those, the largest. */
  const endBeyond = (answers: Unsent[], maxBytes: number): void => {
    let left = totalOf(answers);
    if (left <= maxBytes) return;
    for (const answer of answers.toSorted((a, b) => b.idleChecks - a.idleChecks || b.bytes - a.bytes)) {
      if (left <= maxBytes) return;
      left -= answer.bytes;
      end(answer, 'unsent');
    }
  };

  const stop = (): void => {
    clearInterval(timer);
    timer = undefined;
  };

  const check = (): void => {
    if (connections.size === 0) stop();
    const former = unsent;
    unsent = new Map();
    for (const connection of connections.values()) {
      const bytes = unsentBytesOf(connection);
      if (bytes === 0) continue;
      const progress = progressOf(connection.socket);
      const last = former.get(connection);
      const idleChecks = last?.progress === progress ? last.idleChecks + 1 : 0;
      unsent.set(connection, { connection, bytes, progress, idleChecks });
    }
    for (const answer of unsent.values()) {
      if (answer.idleChecks * limits.checkEveryMs >= limits.stalledMaxMs) end(answer, 'stalled');
      else if (answer.bytes > limits.unsentMaxBytes) end(answer, 'unsent');
    }
    const byOwner = Map.groupBy(unsent.values(), ({ connection }) => ownerOf(connection));
    for (const [owner, answers] of byOwner)
      if (owner !== undefined) endBeyond(answers, limits.ownerUnsentMaxBytes);
    endBeyond([...unsent.values()], limits.totalUnsentMaxBytes);
  };

  return {
    start: () => void (timer ??= setInterval(check, limits.checkEveryMs).unref()),
    figures: () => ({ unsentBytes: totalOf([...unsent.values()]), ended: { ...ended } }),
    close: stop,
  };
}

const totalOf = (answers: readonly Unsent[]): number => answers.reduce((sum, { bytes }) => sum + bytes, 0);

/** Clients behind a trusted proxy share its address, so it owns nothing. */
function ownerOf({ response, address }: Connection): string | undefined {
  return response?.[account] ?? address;
}

/** Buffered bytes wait only as long as the socket takes no more. */
function unsentBytesOf({ socket, response }: Connection): number {
  if (socket.writableLength === 0) return 0;
  const outside = response?.writableFinished === false ? response[buffered] : undefined;
  return socket.writableLength + (outside ?? 0);
}

/** `writableLength` counts a chunk until all of it is sent. Only the handle knows how much of it the system has taken. */
function progressOf(socket: Socket): string {
  const { _handle: handle } = socket as { _handle?: { writeQueueSize?: number } | null };
  return `${socket.bytesWritten - socket.writableLength} ${handle?.writeQueueSize ?? 0}`;
}
