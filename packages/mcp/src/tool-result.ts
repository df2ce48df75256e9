// Results of tools as JSON text. A result has its data twice, as `structuredContent` and as text for clients that read only text.
import { SERVER_INFO_META_KEY } from '@modelcontextprotocol/server';
import type { AppError, ErrorKind } from '@service/errors';
import type { Answer } from '@service/surface';
import type { RequestId } from './message.ts';
import type { ServerIdentity } from './method-server.ts';
import type { RpcError } from './rejection.ts';
import type { Tool } from './tool.ts';

interface ResultOptions {
  id: RequestId;
  isModern: boolean;
}

/** Writes the JSON-RPC responses of calls. `identity` is that of the server, which answers of version 2026-07-28 name. */
export function createToolResults(identity: Pick<ServerIdentity, 'name' | 'version'>) {
  const serverInfo = { [SERVER_INFO_META_KEY]: identity };
  const toText = (content: string, replayed: boolean, { id, isModern }: ResultOptions): string => {
    const meta = { ...(isModern && serverInfo), ...(replayed && { replayed }) };
    const type = isModern ? ',"resultType":"complete"' : '';
    const stamp = isModern || replayed ? `,"_meta":${JSON.stringify(meta)}` : '';
    return `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":{${content}${type}${stamp}}}`;
  };
  return {
    /** The response of a call that succeeded, or of the kept answer of one. Throws for an answer that does not fit the tool. */
    success({ shape }: Tool, { data, body, replayed }: Answer, options: ResultOptions): string {
      const text = JSON.stringify(shape(data ?? (body === null ? undefined : JSON.parse(body))));
      const content = `"content":[{"type":"text","text":${JSON.stringify(text)}}],"structuredContent":${text}`;
      return toText(content, replayed, options);
    },
    /**
     * The response of a refused call. The text has the code, the message and the next step, and the current record of a change that
     * began with an earlier version of it.
     */
    refusal({ shape }: Tool, { body, replayed, error }: Answer, options: ResultOptions): string {
      const { data, ...refusal } = JSON.parse(body ?? '{}') as { code: string; data?: object };
      const wait = error?.retryAfterSeconds;
      const text = JSON.stringify({
        ...refusal,
        ...(data && shape({ data })),
        ...(wait !== undefined && { retryAfterSeconds: wait }),
        nextStep: nextStepOf(refusal.code, error),
      });
      const content = `"content":[{"type":"text","text":${JSON.stringify(text)}}],"isError":true`;
      return toText(content, replayed, options);
    },
  };
}

/** A JSON-RPC response with an error. */
export const errorText = (id: RequestId | null, error: RpcError): string =>
  `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"error":${JSON.stringify(error)}}`;

const stepsByCode: Readonly<Record<string, string>> = {
  idempotency_in_progress: 'Wait a second and repeat the same call.',
  idempotency_answer_erased: 'The first call was made. Do not repeat it.',
  idempotency_key_reused: 'Use a new idempotency_key for a new write. To read the earlier write, use a list.',
  malformed_idempotency_key: 'Send 1 to 255 visible ASCII characters as idempotency_key, or leave it out.',
  outcome_unknown: 'Read the record before you call again, or repeat the call with the same idempotency_key.',
  precondition_failed:
    'Apply the change to the record in data, and call the tool again with its version as if_match.',
  capacity_reached: 'Choose another session. list_session_slots shows the times with free places.',
};

const stepsByKind: Readonly<Partial<Record<ErrorKind, string>>> = {
  malformed: 'Correct the arguments named in issues and call the tool again. Begin a list without a cursor.',
  invalid: 'Correct the arguments named in issues and call the tool again.',
  not_found: 'Find the id with a list tool. Archived and deleted records are not found.',
  conflict: 'Read the record: its state does not allow this call. Do not repeat the call unchanged.',
  rate_limited: 'Wait for retryAfterSeconds and call the tool again.',
  unavailable: 'Wait for retryAfterSeconds and repeat the call, a write with the same idempotency_key.',
  internal: 'Repeat the call once. If it fails again, report the requestId to the operator of the service.',
};

/** A kept refusal has no error, and was one of the kinds that a repeated call gets again. */
const nextStepOf = (code: string, error: AppError | undefined): string =>
  stepsByCode[code] ?? (error && stepsByKind[error.kind]) ?? 'Do not repeat the call unchanged.';
