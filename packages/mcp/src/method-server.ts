// The methods of the protocol other than tools/call: initialize, server/discover, ping, tools/list and resources. The low-level
// server of the SDK answers them, because their form differs between versions.
import {
  PerRequestHTTPServerTransport,
  ProtocolError,
  Server,
  type JSONRPCRequest,
  type MessageClassification,
  type ServerOptions,
} from '@modelcontextprotocol/server';
import type { Scope } from '@service/catalogue';
import { handshakeVersions, modernVersion } from './message.ts';
import { rpcCodes } from './rejection.ts';
import type { ListedTool, Tool } from './tool.ts';

/** A document that clients can read. */
export interface Resource {
  uri: string;
  name: string;
  title: string;
  description: string;
  mimeType: string;
  /** Called at the first read; the text is kept. */
  read(): string;
}

/** The name of the server, as clients show it. */
export interface ServerIdentity {
  name: string;
  title: string;
  version: string;
}

export interface MethodServerOptions {
  identity: ServerIdentity;
  /** For the assistant: what the service is for, and how its tools go together. */
  instructions: string;
  /** In the order of `tools/list`. */
  tools: readonly Tool[];
  resources: readonly Resource[];
}

interface MethodAnswer {
  /** Of the whole answer, if the request came alone. */
  httpStatus: number;
  response: { error?: { code: number; message: string } };
}

/** Answers a request of a client with these scopes. */
export type AnswerMethod = (
  request: JSONRPCRequest,
  classification: MessageClassification,
  scopes: ReadonlySet<Scope>,
) => Promise<MethodAnswer>;

/** Lists change only with the service or with the key of the client. */
const listTtlMs = 300_000;
const listHint = { ttlMs: listTtlMs, cacheScope: 'private' } as const;

/** Creates what does not depend on a request: the entries of tools, the list of resources, and their texts. */
export function createMethodServer({
  identity,
  instructions,
  tools,
  resources,
}: MethodServerOptions): AnswerMethod {
  const options: ServerOptions = {
    capabilities: { tools: {}, resources: {} },
    supportedProtocolVersions: [modernVersion, ...handshakeVersions],
    instructions,
    cacheHints: {
      'tools/list': listHint,
      'resources/list': listHint,
      'resources/templates/list': listHint,
      'resources/read': listHint,
      'server/discover': listHint,
    },
  };
  const listedResources = resources.map(({ read: _read, ...listed }) => listed);
  const resourceByUri = new Map(resources.map((resource) => [resource.uri, resource]));
  const texts = new Map<string, string>();

  function readResource(uri: string) {
    const resource = resourceByUri.get(uri);
    if (!resource)
      throw new ProtocolError(rpcCodes.invalidParams, 'Unknown resource. resources/list shows them.');
    const text = texts.get(uri) ?? resource.read();
    texts.set(uri, text);
    return { contents: [{ uri, mimeType: resource.mimeType, text }] };
  }

  return async (request, classification, scopes) => {
    const server = new Server(identity, options);
    server.setRequestHandler('tools/list', () => ({ tools: listedFor(tools, scopes) }));
    server.setRequestHandler('resources/list', () => ({ resources: listedResources }));
    server.setRequestHandler('resources/templates/list', () => ({ resourceTemplates: [] }));
    server.setRequestHandler('resources/read', ({ params }) => readResource(params.uri));
    const transport = new PerRequestHTTPServerTransport({ classification });
    await server.connect(transport);
    const answer = await transport.handleMessage(request);
    const response = withoutInternals((await answer.json()) as MethodAnswer['response']);
    // Before version 2026-07-28 every answer of a method has status 200.
    return { httpStatus: classification.era === 'modern' ? answer.status : 200, response };
  };
}

/** The tools that a client with these scopes may call, in the order of the catalogue. */
const listedFor = (tools: readonly Tool[], scopes: ReadonlySet<Scope>): ListedTool[] =>
  tools.filter((tool) => tool.scopes.every((scope) => scopes.has(scope))).map(({ listed }) => listed);

/**
 * The SDK answers parameters that it refuses with the text of an exception. Its handlers above throw nothing else, so each internal
 * error is about parameters.
 */
function withoutInternals(response: MethodAnswer['response']): MethodAnswer['response'] {
  if (response.error?.code !== rpcCodes.internalError) return response;
  return { ...response, error: { code: rpcCodes.invalidParams, message: 'Invalid params.' } };
}
