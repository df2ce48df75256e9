// Files that are sent from memory. A file that is kept is compressed once: a stranger who asks for it in a loop costs neither a descriptor
// nor the time to compress.
import { hash } from 'node:crypto';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Request, Response } from 'express';

export type Encoding = 'br' | 'gzip';

export interface MemoryFile {
  /** As in `response.type`. */
  type: string;
  etag: string;
  modifiedAt: Date | undefined;
  bytes: Buffer;
  /** Undefined when it is not worth it. */
  compressed(encoding: Encoding): Promise<Buffer> | undefined;
}

interface MemoryFileOptions extends Pick<MemoryFile, 'type' | 'bytes'> {
  etag?: string;
  modifiedAt?: Date;
  /** Compressed by the build. */
  built?: Partial<Record<Encoding, Buffer>>;
}

/** Compressing a smaller file costs more than it saves. */
const compressedMinBytes = 1024;

const compressible = new Set(['html', 'js', 'css', 'svg', 'json', 'txt', 'map']);

/** Quality 11, which the build uses, would take a second for the API document. */
const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 6 } };

const compressors: Record<Encoding, (bytes: Buffer) => Promise<Buffer>> = {
  br: (bytes) => promisify(brotliCompress)(bytes, quality),
  gzip: (bytes) => promisify(gzip)(bytes),
};

export function createMemoryFile({ bytes, type, built = {}, ...options }: MemoryFileOptions): MemoryFile {
  const isWorthIt = bytes.length >= compressedMinBytes && compressible.has(type);
  const made = new Map<Encoding, Promise<Buffer>>();
  return {
    type,
    bytes,
    etag: options.etag ?? `W/"${hash('sha256', bytes, 'base64url').slice(0, 22)}"`,
    modifiedAt: options.modifiedAt,
    compressed(encoding) {
      const ready = built[encoding] ? Promise.resolve(built[encoding]) : made.get(encoding);
      if (ready || !isWorthIt) return ready;
      const making = compressors[encoding](bytes);
      made.set(encoding, making);
      return making;
    },
  };
}

/** Sends the file, or 304. The caller has set the headers that are about its use, such as `Cache-Control`. */
export async function sendMemoryFile(request: Request, response: Response, file: MemoryFile): Promise<void> {
  response.set('ETag', file.etag).vary('Accept-Encoding');
  if (file.modifiedAt) response.set('Last-Modified', file.modifiedAt.toUTCString());
  if (request.fresh) return void response.status(304).end();
  const { encoding, bytes } = media.has(file.type)
    ? { encoding: undefined, bytes: choosePart(request, response, file) }
    : await chooseBytes(request, file);
  if (encoding) response.set('Content-Encoding', encoding);
  response.type(file.type).set('Content-Length', String(bytes.length));
  if (request.method === 'HEAD' || bytes.length <= sliceBytes) return void response.end(bytes);
  // A slow client has one slice in its socket and not the whole file. Its going away is no failure.
  await pipeline(Readable.from(slicesOf(bytes)), response).catch(() => undefined);
}

const sliceBytes = 64 * 1024;

function* slicesOf(bytes: Buffer): Generator<Buffer> {
  for (let from = 0; from < bytes.length; from += sliceBytes) yield bytes.subarray(from, from + sliceBytes);
}

/** Sent in parts to players that ask for them, because a player that seeks reads only the part that it shows. */
const media = new Set(['webm', 'mp4']);

const nothing = Buffer.alloc(0);

/** The bytes of one range (https://www.rfc-editor.org/rfc/rfc9110#name-range-requests), or all. Several ranges get all, which is allowed. */
function choosePart(request: Request, response: Response, { bytes, modifiedAt }: MemoryFile): Buffer {
  response.set('Accept-Ranges', 'bytes');
  const ranges = request.method === 'GET' ? request.range(bytes.length, { combine: true }) : undefined;
  const ifRange = request.get('if-range');
  const isSameFile = ifRange === undefined || ifRange === modifiedAt?.toUTCString();
  if (!isSameFile || ranges === undefined || ranges === -2) return bytes;
  if (ranges === -1) {
    response.status(416).set('Content-Range', `bytes */${bytes.length}`);
    return nothing;
  }
  const [range] = ranges;
  if (ranges.type !== 'bytes' || ranges.length !== 1 || !range) return bytes;
  response.status(206).set('Content-Range', `bytes ${range.start}-${range.end}/${bytes.length}`);
  return bytes.subarray(range.start, range.end + 1);
}

/** The encodings are checked one by one, because browsers name gzip first and also accept Brotli. */
async function chooseBytes(
  request: Request,
  file: MemoryFile,
): Promise<{ encoding?: Encoding; bytes: Buffer }> {
  for (const encoding of ['br', 'gzip'] as const) {
    if (!request.acceptsEncodings(encoding)) continue;
    const bytes = await file.compressed(encoding);
    if (bytes) return { encoding, bytes };
  }
  return { bytes: file.bytes };
}
