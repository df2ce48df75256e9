// Calls of `/mcp` as a client sends them, in both kinds of protocol versions.
import type { TestApi } from './api.ts';

/** A message of JSON-RPC without its version. Without an id it is a notification. */
export interface RpcMessage {
  id?: string | number;
  method: string;
  params?: Record<string, unknown>;
}

interface McpOptions {
  /** An API key or an access token. */
  key?: string | undefined;
  path?: '/mcp' | '/mcp/readonly' | '/mcp/connect';
  headers?: Record<string, string>;
}

export interface RpcResponse {
  id: string | number | null;
  // oxlint-disable-next-line typescript/no-explicit-any -- each method has its own result
  result?: any;
  error?: { code: number; message: string; data?: unknown };
}

export interface McpAnswer {
  status: number;
  headers: Headers;
  text: string;
  /** Of a batch. */
  responses: RpcResponse[];
  /** Of one message. */
  response: RpcResponse;
}

type Target = Pick<TestApi, 'baseUrl'>;

/** Posts a body as it is. */
export async function postMcp(
  { baseUrl }: Target,
  body: string | undefined,
  { key, path = '/mcp', headers }: McpOptions = {},
): Promise<McpAnswer> {
  const answer = await fetch(`${baseUrl}${path}`, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
      ...(key !== undefined && { Authorization: `Bearer ${key}` }),
      ...headers,
    },
    body,
  });
  const text = await answer.text();
  const parsed = text === '' ? undefined : JSON.parse(text);
  const { status, headers: answered } = answer;
  return { status, headers: answered, text, responses: parsed, response: parsed };
}

const envelope = (message: RpcMessage) => ({ jsonrpc: '2.0', ...message });

/** Sends a message, or several as a batch, as clients before version 2026-07-28 do after their handshake. */
export const callMcp = (
  service: Target,
  message: RpcMessage | readonly RpcMessage[],
  { headers, ...options }: McpOptions = {},
): Promise<McpAnswer> => {
  const isBatch = Array.isArray(message);
  const body = isBatch ? message.map(envelope) : envelope(message as RpcMessage);
  const version = isBatch ? '2025-03-26' : '2025-11-25';
  return postMcp(service, JSON.stringify(body), {
    ...options,
    headers: { 'MCP-Protocol-Version': version, ...headers },
  });
};

export const modernMeta = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
  'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
};

/** Sends a message as clients of version 2026-07-28 do. */
export function callModern(
  service: Target,
  { params = {}, ...message }: RpcMessage,
  { headers, ...options }: McpOptions = {},
): Promise<McpAnswer> {
  const meta = { ...modernMeta, ...(params['_meta'] as object | undefined) };
  const name = params['name'] ?? params['uri'];
  return postMcp(service, JSON.stringify(envelope({ ...message, params: { ...params, _meta: meta } })), {
    ...options,
    headers: {
      'MCP-Protocol-Version': '2026-07-28',
      'Mcp-Method': message.method,
      ...(typeof name === 'string' && { 'Mcp-Name': name }),
      ...headers,
    },
  });
}

export interface ToolAnswer extends McpAnswer {
  isError: boolean;
  /** `structuredContent`, or the refusal in the text of an error. */
  // oxlint-disable-next-line typescript/no-explicit-any -- each tool has its own result
  data: any;
}

/** Calls a tool. Throws unless the answer is the result of a tool. */
export async function callTool(
  service: Target,
  key: string,
  tool: string,
  { _meta, ...given }: Record<string, unknown> = {},
): Promise<ToolAnswer> {
  const params = { name: tool, arguments: given, ...(_meta !== undefined && { _meta }) };
  const answer = await callMcp(service, { id: 1, method: 'tools/call', params }, { key });
  const { result } = answer.response;
  if (!result) throw new Error(`${tool}: ${answer.status} ${answer.text}`);
  const isError = result.isError === true;
  return {
    ...answer,
    isError,
    data: isError ? JSON.parse(result.content[0].text) : result.structuredContent,
  };
}

export const initialize = (protocolVersion: string) => ({
  id: 1,
  method: 'initialize',
  params: { protocolVersion, capabilities: {}, clientInfo: { name: 'test', version: '1' } },
});

/** The calls over MCP in Activity, oldest first. */
export async function activityRows({ api, db }: TestApi, accountId: string) {
  await api.service.activity.flush();
  const { rows } = await db.database.pool.query(
    `select method, path, tool, status, replayed, error_code from activity.api_call
     where account_id = $1 and surface = 'mcp' order by id`,
    [accountId],
  );
  return rows;
}
