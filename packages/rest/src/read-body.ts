import type { IncomingMessage } from 'node:http';
import { currentPayer, nextTurn, workFor } from '@service/database';
import { commonErrors, issuesMax, type Issue } from '@service/errors';
import type { CheckBodyText } from '@service/trpc';
import { requireShallow } from './json-depth.ts';

interface ReadBodyOptions {
  /** Largest body, in bytes. */
  bytesMax?: number;
  /** The accepted media types. The body is read as JSON for all of them. */
  mediaTypes?: readonly string[];
  /** Resolves when a body that may have more than a megabyte may be read. Not called where `bytesMax` is no more than that. */
  awaitPlace?: () => Promise<void>;
  /** Finds the problems of the text that are lost when it is parsed. */
  checkText?: CheckBodyText | undefined;
  /** Collects these problems and the members named `__proto__`, to be refused together with others. By default they are refused at once. */
  issues?: Issue[];
}

const megabyte = 1024 * 1024;

/**
 * Values of a body of more than a megabyte. The time to parse and check it depends on their number more than on the length of texts: the
 * parser needs 20 ms for 8 MB of texts and 200 ms for 8 MB of digits. 500 rows with all their fields have 40,000 values.
 */
const valuesMax = 100_000;

/** Parsing a shorter body costs less than the rest of its call. */
const largeBodyBytes = 64 * 1024;

/** Milliseconds to parse and check one byte: a megabyte takes about 10 ms. */
const byteMs = 0.000_01;

/**
 * Reads a JSON object. No body at all is an empty object. Throws unsupported_media_type, body_too_large, malformed_json,
 * malformed_request (JSON, but not an object), validation_failed (a member named `__proto__`, problems that `checkText` finds).
 */
export async function readBody(
  request: IncomingMessage,
  options: ReadBodyOptions = {},
): Promise<Record<string, unknown>> {
  const parsed = await readJson(request, options);
  if (parsed === undefined) return {};
  if (Array.isArray(parsed)) throw notAnObject();
  return parsed as Record<string, unknown>;
}

const notAnObject = () =>
  commonErrors.malformed_request({ issues: [{ path: 'body', message: 'Must be a JSON object.' }] });

/**
 * Reads a JSON object or a JSON array. Undefined for no body at all. Throws unsupported_media_type, body_too_large, malformed_json,
 * malformed_request (any other JSON), validation_failed (a member named `__proto__`, problems that `checkText` finds).
 */
export async function readJson(
  request: IncomingMessage,
  {
    bytesMax = megabyte,
    mediaTypes = ['application/json'],
    awaitPlace,
    checkText,
    issues,
  }: ReadBodyOptions = {},
): Promise<object | undefined> {
  if (!mayBeLonger(request, 0)) return undefined;
  if (!isPlainText(request, mediaTypes)) throw commonErrors.unsupported_media_type();
  const payer = currentPayer();
  requireLength(request, bytesMax);
  if (bytesMax > megabyte && mayBeLonger(request, megabyte)) await awaitPlace?.();
  const bytes = await readBytes(request, bytesMax);
  workFor(payer);
  if (bytes.length === 0) return undefined;
  if (bytes.length > largeBodyBytes) await nextTurn(bytes.length * byteMs);
  requireShallow(bytes, bytes.length > megabyte ? { values: valuesMax } : {});
  const text = decodeText(bytes);
  const parsed = parseJson(text);
  if (typeof parsed !== 'object' || parsed === null) throw notAnObject();
  const found = [
    ...(mayHavePrototype.test(text) ? findPrototypes(parsed) : []),
    ...(checkText?.(text) ?? []),
  ];
  if (found.length > 0 && !issues) throw commonErrors.validation_failed({ issues: found });
  issues?.push(...found);
  return parsed;
}

/** The name as it is, or with an escape. Most bodies have neither, and a walk through a megabyte takes 12 ms. */
const mayHavePrototype = /__proto__|\\u/;

/** Members named `__proto__`. No field has this name, and schemas with free names would drop such a member silently. */
function findPrototypes(value: object, path = ''): Issue[] {
  const issues: Issue[] = [];
  const check = (name: string | number, member: unknown): void => {
    if (name === '__proto__') issues.push({ path: `${path}${name}`, message: 'Unknown field.' });
    else if (typeof member === 'object' && member !== null)
      issues.push(...findPrototypes(member, `${path}${name}.`));
  };
  if (Array.isArray(value)) value.forEach((item, index) => check(index, item));
  else for (const [name, member] of Object.entries(value)) check(name, member);
  return issues.slice(0, issuesMax);
}

/** True for one of the media types in UTF-8 without compression. */
function isPlainText({ headers }: IncomingMessage, mediaTypes: readonly string[]): boolean {
  const [mediaType, ...parameters] = (headers['content-type'] ?? '')
    .split(';')
    .map((part) => part.trim().toLowerCase());
  const charset = parameters.find((parameter) => parameter.startsWith('charset='))?.slice('charset='.length);
  const encoding = headers['content-encoding'] ?? 'identity';
  return (
    mediaTypes.includes(mediaType!) && /^"?utf-?8"?$/.test(charset ?? 'utf-8') && encoding === 'identity'
  );
}

/** True for a body of more bytes, and for one that does not say its length. */
export const mayBeLonger = ({ headers }: Pick<IncomingMessage, 'headers'>, bytes: number): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > bytes;

/** Each chunk costs about 260 bytes of memory and 2 µs, however short it is. With so many chunks of a body, they must have this many bytes on average. */
const shortChunksMax = 1000;
const chunkBytesMin = 64;

/** The exact bytes of a body. Throws body_too_large before more than `bytesMax` are kept, malformed_request. */
export async function readBytes(request: IncomingMessage, bytesMax: number): Promise<Buffer> {
  requireLength(request, bytesMax);
  // The client has gone away before, and no event follows.
  if (request.destroyed) throw commonErrors.malformed_request();
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  const chunks: Buffer[] = [];
  let size = 0;
  let count = 0;
  // Not `for await`: an early end of that loop destroys the request, and with it the answer.
  request.on('data', (chunk: Buffer) => {
    size += chunk.length;
    count += 1;
    if (count > shortChunksMax && size < count * chunkBytesMin) {
      // The rest is dropped, and the server closes the connection.
      reject(commonErrors.malformed_request({ issues: [shortChunks] }));
    } else if (size <= bytesMax) chunks.push(chunk);
    else reject(commonErrors.body_too_large());
  });
  request.on('end', () => resolve(Buffer.concat(chunks)));
  // The connection ended in the middle of the body. The answer is lost, but this is no fault of the service.
  request.on('error', (cause) => reject(commonErrors.malformed_request({ cause })));
  return promise;
}

const shortChunks = {
  path: 'body',
  message: `Send the body in chunks of at least ${chunkBytesMin} bytes on average.`,
};

function requireLength({ headers }: IncomingMessage, bytesMax: number): void {
  if (Number(headers['content-length'] ?? 0) > bytesMax) throw commonErrors.body_too_large();
}

const decoder = new TextDecoder('utf-8', { fatal: true });

function decodeText(bytes: Buffer): string {
  try {
    return decoder.decode(bytes);
  } catch (error) {
    throw commonErrors.malformed_json({ cause: error });
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw commonErrors.malformed_json({ cause: error });
  }
}
