import type { ErrorCode } from './generated/operations.ts';
import type { ErrorAnswer } from './generated/types.ts';

/** A refusal of the service, or an answer that is not one of the service, such as that of a proxy (`unexpected_answer`). */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  /** A newer service may answer codes that this version of the client does not know. */
  readonly code: ErrorCode | 'unexpected_answer' | (string & {});
  readonly status: number;
  /** Every problem of the input. Empty for other errors. */
  readonly issues: NonNullable<ErrorAnswer['issues']>;
  readonly requestId: string | undefined;
  /** The explanation of the code in the reference. */
  readonly docUrl: string | undefined;
  /** The whole answer. Some codes have further fields, such as the nearest session times. */
  readonly body: Partial<ErrorAnswer> & Record<string, unknown>;
  readonly headers: Headers;

  /** `call` names the request: `POST /webinars`. */
  constructor(call: string, { status, headers }: Response, body: unknown) {
    const answer: ApiError['body'] = isObject(body) ? body : {};
    const { code = 'unexpected_answer', message = '', issues = [], requestId, docUrl } = answer;
    const problems = issues.map((issue) => `${issue.path}: ${issue.message}`);
    super([`${call} was answered ${status} ${code}.`, message, ...problems].filter(Boolean).join(' '));
    this.code = code;
    this.status = status;
    this.issues = issues;
    this.requestId = requestId ?? headers.get('x-request-id') ?? undefined;
    this.docUrl = docUrl;
    this.body = answer;
    this.headers = headers;
  }
}

/** True for an error of the service with one of these codes, or with any code if none is given. */
export const isApiError = <Code extends ErrorCode>(
  error: unknown,
  ...codes: readonly Code[]
): error is ApiError & { code: [Code] extends [never] ? ApiError['code'] : Code } =>
  error instanceof ApiError && (codes.length === 0 || (codes as readonly string[]).includes(error.code));

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
