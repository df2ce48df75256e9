// `100 Continue` comes before an answer. A client must ignore it also without an Expect header (RFC 9110, 15.2). undici 8.12
// closes the connection instead and has no option for it. So its bytes are removed from the data that undici reads from the
// socket.
import type { Socket } from 'node:net';

/** Longest head of a `100 Continue`, in bytes. A longer one is passed to undici, which closes the connection. */
const headMaxBytes = 16 * 1024;

const starts = ['HTTP/1.1 100', 'HTTP/1.0 100'].map((text) => Buffer.from(text));
const startBytes = starts[0]!.length;
/** The place of the first digit of the status. Most responses differ there. */
const digitAt = startBytes - 3;
/** The allowed next bytes: a space or the end of the line. `HTTP/1.1 1000` is not a status. */
const separators = new Set([0x20, 0x0d, 0x0a]);

/**
 * Removes `100 Continue` from the data of a new socket. A request is written in one synchronous piece and there is one request at a
 * time, so the first data after a write is the start of a response.
 */
export function passOverContinue(socket: Socket): void {
  const read = socket.read.bind(socket) as (size?: number) => Buffer | null;
  const write = socket.write.bind(socket) as (...args: unknown[]) => boolean;
  let isAtStart = false;
  let begun: Buffer | undefined;

  socket.write = (...args: unknown[]) => {
    isAtStart = true;
    return write(...args);
  };
  socket.read = (size) => {
    for (;;) {
      const chunk = read(size);
      if (chunk === null || !isAtStart) return chunk;
      const found = afterContinue(begun === undefined ? chunk : Buffer.concat([begun, chunk]));
      begun = found.rest;
      if (found.isUndecided) continue;
      isAtStart = false;
      begun = undefined;
      return found.rest;
    }
  };
}

interface Start {
  rest: Buffer;
  /** True while the rest can be the start of a `100 Continue`. */
  isUndecided: boolean;
}

/** Removes each `100 Continue` at the start of a response. */
function afterContinue(bytes: Buffer): Start {
  let rest = bytes;
  for (;;) {
    if (rest.length > digitAt && rest[digitAt] !== 0x31) return { rest, isUndecided: false };
    const given = rest.subarray(0, startBytes);
    if (!starts.some((start) => start.subarray(0, given.length).equals(given)))
      return { rest, isUndecided: false };
    if (rest.length <= startBytes) return { rest, isUndecided: true };
    if (!separators.has(rest[startBytes]!)) return { rest, isUndecided: false };
    const end = rest.indexOf('\r\n\r\n');
    if (end === -1) return { rest, isUndecided: rest.length <= headMaxBytes };
    rest = rest.subarray(end + 4);
  }
}
