// MCP over Streamable HTTP without sessions, for clients of version 2026-07-28 and of three earlier ones. This surface reads
// messages from a request and writes their answers; the chain of `packages/surface` does everything between.
import type { Scope } from '@service/catalogue';
import { currentPayer, workFor } from '@service/database';
import { AppError, commonErrors } from '@service/errors';
import { errorToAnswer, readJson, requestIdOf, sendAnswer, sendJson, setRateHeaders } from '@service/rest';
import { admissionMaxAgeMs, hidesCaller, type ChainOptions } from '@service/surface';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { admitMessages, admitSender, isBodyNeeded } from './admit-messages.ts';
import { createMessageAnswerer, type Reply, type Unread } from './answer-message.ts';
import { readMessages, type Message, type ToolMessage } from './message.ts';
import type { MethodServerOptions } from './method-server.ts';
import { rejectBody } from './rejection.ts';
import { errorText } from './tool-result.ts';
import type { Tool } from './tool.ts';

export interface McpOptions extends ChainOptions, MethodServerOptions {
  /** As Activity shows it. */
  path: string;
  /** Origins whose pages may call. A request without an `Origin` comes from a program. */
  allowedOrigins: readonly string[];
}

export type McpHandler = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/**
 * Largest body, in bytes: hundreds of registrations in one call. A body is parsed before its scopes are checked, because it names the
 * tool and so the scope. So it is smaller than over REST.
 */
const bodyMax = 256 * 1024;

/** Answers every request to the path. Of the credentials only those in `credentials` are valid there. */
export function createMcpHandler(options: McpOptions): McpHandler {
  const toolByName = new Map(options.tools.map((tool) => [tool.name, tool]));
  const answerMessage = createMessageAnswerer(options);
  const allowedOrigins = new Set(options.allowedOrigins);
  const docsUrl = `${options.apiUrl}/docs`;

  return async (request, response) => {
    const requestId = requestIdOf(request);
    response.setHeader('X-Request-Id', requestId);
    const { origin } = request.headers;
    if (origin !== undefined && !allowedOrigins.has(origin)) {
      sendJson(response, 403, errorToAnswer(commonErrors.forbidden_origin(), { requestId, docsUrl }).body);
      return;
    }
    const { credentials } = options;
    const caller = currentPayer();
    const admittedMs = performance.now();
    const early = request.method === 'POST' ? admitSender(request, credentials) : undefined;
    const { isBatch, messages } = (await isBodyNeeded(early))
      ? await readRequest(request, toolByName)
      : notRead;
    const scopes = scopesOfAll(messages);
    const { authorization } = request.headers;
    // After a slow body the sender is admitted again, because its credential may have been revoked meanwhile.
    const sender = performance.now() - admittedMs > admissionMaxAgeMs ? undefined : early;
    const admissions = await admitMessages(
      { count: messages.length, authorization, scopes, sender },
      credentials,
    );
    // The first message pays for the admission of all.
    workFor(caller);
    const replies: Reply[] = [];
    for (const [index, message] of messages.entries()) {
      const admitted = { message, admission: admissions[index]! };
      const reply = await answerMessage(admitted, { request, requestId, scopes });
      replies.push(reply);
      // The other messages of a batch need the same scopes, so they would be refused too.
      if (replies.length === 1 && reply.rate === undefined) break;
    }
    send(response, replies, isBatch);
  };
}

interface Incoming {
  isBatch: boolean;
  messages: readonly (Message | Unread)[];
}

const notRead: Incoming = { isBatch: false, messages: [{ id: null, kind: 'unread' }] };

/** Reads the body, unless there is no credential at all: a stranger does not make the service read. */
async function readRequest(request: IncomingMessage, tools: ReadonlyMap<string, Tool>): Promise<Incoming> {
  if (request.method !== 'POST' || request.headers.authorization === undefined) return notRead;
  try {
    return readMessages(request, await readJson(request, { bytesMax: bodyMax }), tools);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { isBatch: false, messages: [{ id: null, kind: 'rejected', rejection: rejectBody(error) }] };
  }
}

/** A batch is admitted only if its credential may make all of its calls. Otherwise it is refused, and none of its calls run. */
const scopesOfAll = (messages: Incoming['messages']): Scope[] => [
  ...new Set(messages.flatMap((message) => (message.kind === 'tool' ? scopesOfCall(message) : []))),
];

const scopesOfCall = ({ tool, arguments: given }: ToolMessage): readonly Scope[] => [
  ...tool.scopes,
  ...(tool.procedure.scopesFor?.(given) ?? []),
];

function send(response: ServerResponse, replies: readonly Reply[], isBatch: boolean): void {
  const last = replies.at(-1)!;
  if (last.rate && !(last.refusal && hidesCaller(last.refusal))) setRateHeaders(response, last.rate);
  if (last.refusal && replies.every(({ refusal }) => refusal !== undefined)) {
    if (last.refusal.status === 405) response.setHeader('Allow', 'POST');
    sendAnswer(response, last.refusal, { isRecord: false });
    return;
  }
  if (replies.some(({ replayed }) => replayed)) response.setHeader('Idempotent-Replayed', 'true');
  const texts = replies.flatMap((reply) => textOf(reply) ?? []);
  if (texts.length === 0) response.writeHead(202).end();
  else if (isBatch) sendJson(response, 200, `[${texts.join(',')}]`);
  else sendJson(response, last.httpStatus, texts[0]!);
}

/** Within a batch a refused message has an error of its own. */
function textOf({ id, isNotice, text, refusal }: Reply): string | undefined {
  if (!refusal || isNotice) return text;
  const { code, message } = refusal.error ?? commonErrors.internal_error();
  return errorText(id, { code: refusedCode, message, data: { code } });
}

/** In the range that JSON-RPC leaves to servers. */
const refusedCode = -32000;
