// The methods of the protocol other than tools/call: initialize, server/discover, ping, tools/list, prompts and resources. The
// low-level server of the SDK answers them, because their form differs between versions.
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

/** A question that a person picks in a client, with its values. Its text names the tools to call. */
export interface Prompt {
  name: string;
  title: string;
  description: string;
  /** All are required. */
  arguments: readonly { name: string; description: string }[];
  /** The tools that the text names. A client that cannot call all of them does not get the prompt. */
  tools: readonly string[];
  write(values: Readonly<Record<string, string>>): string;
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
  prompts: readonly Prompt[];
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
  prompts,
}: MethodServerOptions): AnswerMethod {
  const options: ServerOptions = {
    capabilities: { tools: {}, resources: {}, prompts: {} },
    supportedProtocolVersions: [modernVersion, ...handshakeVersions],
    instructions,
    cacheHints: {
      'tools/list': listHint,
      'prompts/list': listHint,
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
    server.setRequestHandler('prompts/list', () => ({
      prompts: promptsFor(prompts, listedFor(tools, scopes)).map(promptToListed),
    }));
    server.setRequestHandler('prompts/get', ({ params }) =>
      getPrompt(promptsFor(prompts, listedFor(tools, scopes)), params),
    );
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

/** The prompts whose tools a client may call. */
const promptsFor = (prompts: readonly Prompt[], listed: readonly ListedTool[]): Prompt[] => {
  const names = new Set(listed.map(({ name }) => name));
  return prompts.filter((prompt) => prompt.tools.every((tool) => names.has(tool)));
};

const promptToListed = ({ tools: _tools, write: _write, ...listed }: Prompt) => ({
  ...listed,
  arguments: listed.arguments.map((argument) => ({ ...argument, required: true })),
});

function getPrompt(
  prompts: readonly Prompt[],
  { name, arguments: values = {} }: { name: string; arguments?: Record<string, string> | undefined },
) {
  const prompt = prompts.find((known) => known.name === name);
  if (!prompt) throw new ProtocolError(rpcCodes.invalidParams, 'Unknown prompt. prompts/list shows them.');
  const missing = prompt.arguments.find((argument) => !values[argument.name]?.trim());
  if (missing) throw new ProtocolError(rpcCodes.invalidParams, `The argument ${missing.name} is required.`);
  const content = { type: 'text' as const, text: prompt.write(values) };
  return { description: prompt.description, messages: [{ role: 'user' as const, content }] };
}

/**
 * The SDK answers parameters that it refuses with the text of an exception. Its handlers above throw nothing else, so each internal
 * error is about parameters.
 */
function withoutInternals(response: MethodAnswer['response']): MethodAnswer['response'] {
  if (response.error?.code !== rpcCodes.internalError) return response;
  return { ...response, error: { code: rpcCodes.invalidParams, message: 'Invalid params.' } };
}
