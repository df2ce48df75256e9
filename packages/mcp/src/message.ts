// The messages of a request, read and classified before any of them is admitted.
import {
  classifyInboundRequest,
  type JSONRPCRequest,
  type MessageClassification,
} from '@modelcontextprotocol/server';
import { commonErrors } from '@service/errors';
import type { IncomingMessage, IncomingHttpHeaders } from 'node:http';
import { reject, rpcCodes, type Rejection } from './rejection.ts';
import type { Tool } from './tool.ts';

export type RequestId = string | number;

/** One message of a request. */
export type Message = { id: RequestId | null } & (
  | ToolMessage
  | { kind: 'method'; name: string; request: JSONRPCRequest; classification: MessageClassification }
  /** A notification or a response. It gets no answer. */
  | { kind: 'notice'; method: string }
  | ({ kind: 'rejected'; rejection: Rejection } & RejectedNames)
);

/** A rejected message as Activity shows it, as far as it can be shown: the tool of a call, also one that does not exist, or the method. */
interface RejectedNames {
  tool?: string | undefined;
  method?: string | undefined;
}

export interface ToolMessage {
  kind: 'tool';
  id: RequestId;
  tool: Tool;
  arguments: Record<string, unknown>;
  meta: Record<string, unknown>;
  isModern: boolean;
}

/** Messages in one batch. */
export const batchMax = 20;

/** Versions with the handshake of `initialize`. Batches exist only in the last one, which clients without a header have. */
export const handshakeVersions = ['2025-11-25', '2025-06-18', '2025-03-26'] as const;
const batchVersion = '2025-03-26';

/** The version without a handshake. */
export const modernVersion = '2026-07-28';

type Headers = Pick<IncomingMessage, 'headers'>;

/** The messages of a body. A batch that is refused as a whole is one rejected message. */
export function readMessages(
  request: Headers,
  body: object | undefined,
  tools: ReadonlyMap<string, Tool>,
): { isBatch: boolean; messages: Message[] } {
  if (!Array.isArray(body)) return { isBatch: false, messages: [readMessage(request, body, tools)] };
  const refused = (rejection: Rejection) => ({
    isBatch: false,
    messages: [{ id: null, kind: 'rejected' as const, rejection }],
  });
  if (body.length > batchMax) return refused(tooLarge());
  const version = versionOf(request);
  if (version !== undefined && version !== batchVersion)
    return refused(reject(rpcCodes.invalidRequest, `Only version ${batchVersion} has batches.`));
  const outcome = classifyInboundRequest({ httpMethod: 'POST', body });
  if (outcome.kind === 'reject') return refused(reject(outcome.code, outcome.message, outcome.httpStatus));
  return { isBatch: true, messages: body.map((item) => readMessage(request, item as object, tools)) };
}

const tooLarge = (): Rejection => {
  const error = commonErrors.batch_too_large();
  return { rpc: { code: rpcCodes.invalidRequest, message: error.message }, httpStatus: 413, error };
};

const versionOf = ({ headers }: Headers): string | undefined =>
  headers['mcp-protocol-version']?.toString().trim();

function readMessage(request: Headers, body: unknown, tools: ReadonlyMap<string, Tool>): Message {
  const { headers } = request;
  const outcome = classifyInboundRequest({
    httpMethod: 'POST',
    body,
    ...definedOf({
      protocolVersionHeader: headers['mcp-protocol-version']?.toString(),
      mcpMethodHeader: headers['mcp-method']?.toString(),
      mcpNameHeader: headers['mcp-name']?.toString(),
    }),
  });
  const { id, method, params } = (body ?? {}) as { id?: unknown; method?: unknown; params?: unknown };
  const known = { id: typeof id === 'string' || typeof id === 'number' ? id : null };
  const refused = (rejection: Rejection): Message => ({
    ...known,
    kind: 'rejected',
    rejection,
    ...rejectedNames(method, params),
  });
  if (outcome.kind === 'reject') {
    const { code, message, data, httpStatus } = outcome;
    const rejection = reject(code, message, httpStatus);
    return refused(data === undefined ? rejection : { ...rejection, rpc: { ...rejection.rpc, data } });
  }
  if (outcome.kind === 'legacy') {
    const isRequest = outcome.reason === 'no-claim' || outcome.reason === 'initialize';
    if (!isRequest) return { id: null, kind: 'notice', method: nameOf(method) ?? 'response' };
    const version = versionOf(request);
    if (version !== undefined && outcome.reason !== 'initialize' && !isHandshakeVersion(version))
      return refused(unsupported(version, [modernVersion, ...handshakeVersions]));
    return toCall(body as JSONRPCRequest, { era: 'legacy' }, tools);
  }
  if (outcome.messageKind === 'notification')
    return { id: null, kind: 'notice', method: nameOf(method) ?? 'notification' };
  const { revision } = outcome.classification;
  if (revision !== modernVersion) return refused(unsupported(revision ?? 'unknown', [modernVersion]));
  const mismatch = checkStandardHeaders(outcome.message, headers);
  if (mismatch) return refused(mismatch);
  return toCall(outcome.message, outcome.classification, tools);
}

const isHandshakeVersion = (version: string): boolean =>
  (handshakeVersions as readonly string[]).includes(version);

/** A client without a handshake gets the versions without one, as `server/discover` lists them. */
function unsupported(requested: string, supported: readonly string[]): Rejection {
  const rejection = reject(rpcCodes.unsupportedVersion, 'Unsupported protocol version.');
  return { ...rejection, rpc: { ...rejection.rpc, data: { supported, requested } } };
}

/** A request for a tool, or for another method. */
function toCall(
  request: JSONRPCRequest,
  classification: MessageClassification,
  tools: ReadonlyMap<string, Tool>,
): Message {
  const { id, method } = request;
  if (method !== 'tools/call')
    return { id, kind: 'method', name: nameOf(method) ?? unnamed, request, classification };
  const { name, arguments: given = {}, _meta: meta = {} } = (request.params ?? {}) as Record<string, unknown>;
  const refused = (message: string): Message => ({
    id,
    kind: 'rejected',
    // Parameters are refused inside an answer with status 200, as all answers of methods.
    rejection: reject(rpcCodes.invalidParams, message, 200),
    ...rejectedNames(method, request.params),
  });
  if (typeof name !== 'string') return refused('Invalid params: name must be a string.');
  if (!isObject(given)) return refused('Invalid params: arguments must be an object.');
  if (!isObject(meta)) return refused('Invalid params: _meta must be an object.');
  const tool = tools.get(name);
  if (!tool) return unknownTool(id, name);
  return { id, kind: 'tool', tool, arguments: given, meta, isModern: classification.era === 'modern' };
}

function unknownTool(id: RequestId, name: string): Message {
  const shown = nameOf(name);
  const text = shown === undefined ? 'Unknown tool.' : `Unknown tool: ${shown}. tools/list shows the tools.`;
  return {
    id,
    kind: 'rejected',
    rejection: { ...reject(rpcCodes.invalidParams, text, 200), error: commonErrors.not_found() },
    ...(shown === undefined ? { method: 'tools/call' } : { tool: shown }),
  };
}

function rejectedNames(method: unknown, params: unknown): RejectedNames {
  const tool = method === 'tools/call' && isObject(params) ? nameOf(params['name']) : undefined;
  return tool === undefined ? { method: nameOf(method) } : { tool };
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Stands in Activity for a name that cannot be shown. */
export const unnamed = 'unknown';

/** A method or a tool that can be stored and shown. Callers can send any text. */
const nameOf = (text: unknown): string | undefined =>
  typeof text === 'string' && /^[\w/.-]{1,100}$/.test(text) ? text : undefined;

const definedOf = (fields: Record<string, string | undefined>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(fields).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );

/** The parameter that `Mcp-Name` repeats, by method. */
const namedParams: Readonly<Record<string, string>> = {
  'tools/call': 'name',
  'prompts/get': 'name',
  'resources/read': 'uri',
};

/**
 * Checks the headers that repeat the body in version 2026-07-28, so that proxies can route without reading it. The SDK has the same
 * check, but only inside its own HTTP handler. Undefined if the headers that a request must have are there and agree with its body. `classifyInboundRequest` of the SDK has
 * compared the two other headers when they are there.
 */
function checkStandardHeaders(
  { method, params }: JSONRPCRequest,
  headers: IncomingHttpHeaders,
): Rejection | undefined {
  if (headers['mcp-protocol-version'] === undefined) return missing('MCP-Protocol-Version');
  if (headers['mcp-method'] === undefined) return missing('Mcp-Method');
  const param = Object.hasOwn(namedParams, method) ? namedParams[method]! : undefined;
  const name = param === undefined ? undefined : params?.[param];
  if (typeof name !== 'string') return undefined;
  const header = headers['mcp-name']?.toString().trim();
  if (header === undefined) return missing('Mcp-Name');
  return decode(header) === name ? undefined : mismatch('Mcp-Name differs from the body.');
}

const missing = (header: string): Rejection => mismatch(`The header ${header} is required.`);

const mismatch = (message: string): Rejection => reject(rpcCodes.headerMismatch, message);

/** A value that cannot be a header is sent as `=?base64?...?=`. Undefined for an invalid one. */
function decode(header: string): string | undefined {
  const encoded = /^=\?base64\?(.*)\?=$/i.exec(header)?.[1];
  if (encoded === undefined) return header;
  const bytes = Buffer.from(encoded, 'base64');
  return bytes.toString('base64') === encoded ? bytes.toString('utf8') : undefined;
}
