// Headers that repeat the body in version 2026-07-28, so that proxies can route without reading it. The SDK has the same check, but
// only inside its own HTTP handler.
import type { JSONRPCRequest } from '@modelcontextprotocol/server';
import type { IncomingHttpHeaders } from 'node:http';
import { reject, rpcCodes, type Rejection } from './rejection.ts';

/** The parameter that `Mcp-Name` repeats, by method. */
const namedParams: Readonly<Record<string, string>> = {
  'tools/call': 'name',
  'prompts/get': 'name',
  'resources/read': 'uri',
};

/**
 * Undefined if the headers that a request must have are there and agree with its body. `classifyInboundRequest` of the SDK has
 * compared the two other headers when they are there.
 */
export function checkStandardHeaders(
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
