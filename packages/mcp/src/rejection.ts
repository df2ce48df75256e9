// Refusals of the protocol itself: a message that is no JSON-RPC request, an unknown method, headers that disagree with the body.
import { commonErrors, httpStatusByKind, type AppError } from '@service/errors';

/** The `error` of a JSON-RPC response. */
export interface RpcError {
  code: number;
  message: string;
  data?: unknown;
}

/** A message that is refused before any method runs. */
export interface Rejection {
  rpc: RpcError;
  /** Of the whole answer, if the message came alone. */
  httpStatus: number;
  /** For Activity. */
  error: AppError;
}

/** Codes of JSON-RPC 2.0, section 5.1, and of MCP 2026-07-28. */
export const rpcCodes = {
  parseError: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internalError: -32603,
  headerMismatch: -32020,
  unsupportedVersion: -32022,
} as const;

const causes: Readonly<Record<number, () => AppError>> = {
  [rpcCodes.parseError]: commonErrors.malformed_json,
  [rpcCodes.methodNotFound]: commonErrors.not_found,
  [rpcCodes.invalidParams]: commonErrors.validation_failed,
  [rpcCodes.internalError]: commonErrors.internal_error,
};

/** The error for Activity of a JSON-RPC error: malformed_request unless another code fits. */
export const causeOf = (code: number): AppError => (causes[code] ?? commonErrors.malformed_request)();

export const reject = (code: number, message: string, httpStatus = 400): Rejection => ({
  rpc: { code, message },
  httpStatus,
  error: causeOf(code),
});

/** The rejection of a body that could not be read. */
export function rejectBody(error: AppError): Rejection {
  const isJson = error.code !== 'malformed_json';
  const code = isJson ? rpcCodes.invalidRequest : rpcCodes.parseError;
  const [issue] = error.issues ?? [];
  const message = issue ? `${error.message} ${issue.path}: ${issue.message}` : error.message;
  return { rpc: { code, message }, httpStatus: httpStatusByKind[error.kind], error };
}
