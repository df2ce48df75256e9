// One message becomes one call of the chain, and the answer of the chain becomes one reply.
import type { Scope } from '@service/catalogue';
import { commonErrors, httpStatusByKind, type AppError } from '@service/errors';
import { senderOf } from '@service/rest';
import {
  createChain,
  errorToBody,
  type Admission,
  type Answer,
  type Call,
  type ChainOptions,
  type RateState,
} from '@service/surface';
import type { IncomingMessage } from 'node:http';
import { unnamed, type Message, type ToolMessage } from './message.ts';
import { createMethodServer, type MethodServerOptions } from './method-server.ts';
import { causeOf } from './rejection.ts';
import { readToolCall, sentKeyOf } from './tool-call.ts';
import { createToolResults, errorText } from './tool-result.ts';

/** A message that is not read: its request has no sufficient credential, no calls left, or another method than POST. */
export interface Unread {
  id: null;
  kind: 'unread';
}

/** The reply to one message. */
export interface Reply {
  id: Message['id'];
  /** A notice gets no response, also when it is refused within a batch. */
  isNotice?: boolean;
  /** The JSON-RPC response. Undefined for a notice, and for a refusal. */
  text?: string | undefined;
  /** Of the whole answer, if the message came alone. */
  httpStatus: number;
  /** The refusal of a message that was not admitted. It is sent as over REST. */
  refusal?: Answer;
  /** Undefined without a valid credential. */
  rate: RateState | undefined;
  replayed: boolean;
}

interface Exchange {
  request: IncomingMessage;
  requestId: string;
  /** The scopes that the credential must have. */
  scopes: readonly Scope[];
}

interface AdmittedMessage {
  message: Message | Unread;
  admission: Promise<Admission | null>;
}

export type AnswerMessage = (admitted: AdmittedMessage, exchange: Exchange) => Promise<Reply>;

interface Options extends ChainOptions, MethodServerOptions {
  /** The path of the surface, as Activity shows it. */
  path: string;
}

/** The reply of the surface itself to a message that names no tool. */
interface OwnReply {
  text?: string;
  httpStatus: number;
}

export function createMessageAnswerer(options: Options): AnswerMessage {
  const { log, apiUrl, identity, path } = options;
  const answerCall = createChain('mcp', options);
  const answerMethod = createMethodServer(options);
  const results = createToolResults(identity);

  /** Answers a message without a tool. `keep` gets the reply; the chain gets the status and the error for Activity. */
  async function respond(
    message: Message,
    { principal }: Admission,
    keep: (own: OwnReply) => void,
  ): Promise<Answer> {
    if (message.kind === 'rejected') {
      const { rpc, httpStatus, error } = message.rejection;
      keep({ httpStatus, text: errorText(message.id, rpc) });
      return failure(error);
    }
    if (message.kind !== 'method') {
      keep({ httpStatus: 202 });
      return { ...nothing, status: 202 };
    }
    const { request, classification } = message;
    const { httpStatus, response } = await answerMethod(request, classification, principal.scopes);
    keep({ httpStatus, text: JSON.stringify(response) });
    return response.error ? failure(causeOf(response.error.code)) : nothing;
  }

  function toolReply(message: ToolMessage, answer: Answer, requestId: string) {
    const { tool } = message;
    if (answer.status >= firstFailure)
      return { status: answer.status, text: results.refusal(tool, answer, message) };
    try {
      return { status: answer.status, text: results.success(tool, answer, message) };
    } catch (cause) {
      log.error(
        { err: cause, requestId, tool: tool.name },
        'The result of a tool does not fit its definition',
      );
      const error = commonErrors.internal_error();
      const body = JSON.stringify(errorToBody(error, { requestId, docsUrl: `${apiUrl}/docs` }));
      return { status: 500, text: results.refusal(tool, { ...answer, body, error }, message) };
    }
  }

  return async ({ message, admission }, { request, requestId, scopes }) => {
    const { id } = message;
    let own: OwnReply | undefined;
    let reply: Reply = { id, httpStatus: 500, rate: undefined, replayed: false };
    await answerCall({
      ...namesOf(message, { method: request.method, path }),
      authorization: request.headers.authorization,
      requestId,
      scopes,
      admission,
      sender: {
        ...senderOf(request),
        idempotencyKey: message.kind === 'tool' ? sentKeyOf(message) : undefined,
      },
      target: targetOf(message, (admitted, admission) =>
        respond(admitted, admission, (kept) => (own = kept)),
      ),
      write(answer, rate) {
        const { status, replayed } = answer;
        const isAdmitted = message.kind === 'tool' ? !isRefusedAtAdmission(answer, rate) : own !== undefined;
        if (!isAdmitted) {
          const isNotice = message.kind === 'notice';
          reply = { id, isNotice, httpStatus: status, refusal: answer, rate, replayed };
          return status;
        }
        if (message.kind !== 'tool') {
          reply = { id, httpStatus: 200, ...own, rate, replayed };
          return status;
        }
        const result = toolReply(message, answer, requestId);
        reply = { id, httpStatus: 200, text: result.text, rate, replayed };
        return result.status;
      },
    });
    return reply;
  };
}

const firstFailure = 400;

const nothing: Answer = {
  status: 200,
  body: null,
  location: null,
  replayed: false,
  data: undefined,
  error: undefined,
};

const failure = (error: AppError): Answer => ({ ...nothing, status: httpStatusByKind[error.kind], error });

/** Codes of refusals of the credential. They come before the procedure, or from it when a record needs a further scope. */
const admissionCodes: ReadonlySet<string> = new Set([
  'account_suspended',
  'rate_limited',
  'invalid_api_key',
  'insufficient_scope',
]);

const isRefusedAtAdmission = ({ error }: Answer, rate: RateState | undefined): boolean =>
  rate === undefined || (error !== undefined && admissionCodes.has(error.code));

/** The tool, the method of the protocol, or the method of HTTP, as Activity shows it. */
function namesOf(
  message: Message | Unread,
  { method = 'GET', path }: { method: string | undefined; path: string },
): Pick<Call, 'tool' | 'method' | 'path'> {
  if (message.kind === 'tool') return { tool: message.tool.name };
  if (message.kind === 'unread') return { method, path };
  if (message.kind === 'method') return { method: message.name };
  if (message.kind === 'rejected' && message.tool !== undefined) return { tool: message.tool };
  return { method: message.method ?? unnamed };
}

function targetOf(
  message: Message | Unread,
  respond: (message: Message, admission: Admission) => Promise<Answer>,
): Call['target'] {
  if (message.kind === 'unread') return 'method_not_allowed';
  if (message.kind === 'tool')
    return { procedure: message.tool.procedure, read: () => readToolCall(message.tool, message) };
  return { respond: (admission) => respond(message, admission) };
}
