import { AppError, defineErrors, type ErrorKind } from '@service/errors';

/** Refusals of the procedures. */
export const connectorErrors = defineErrors({
  authorization_request_invalid: {
    kind: 'malformed',
    message: 'This request is not valid. Start again in the client that you want to connect.',
  },
  authorization_request_expired: {
    kind: 'gone',
    message: 'This request has expired. Start again in the client that you want to connect.',
  },
  authorization_request_used: {
    kind: 'conflict',
    message: 'This request was already answered. To connect again, start again in the client.',
  },
  grant_not_found: {
    kind: 'not_found',
    message: 'There is no such grant.',
  },
  grant_limit_reached: {
    kind: 'conflict',
    message:
      'This workspace has the maximum number of connected clients (200). Revoke the access of one that is not used.',
  },
});

/** The error codes of OAuth: RFC 6749 4.1.2.1 and 5.2, RFC 7591 3.2.2, RFC 8707 2. */
const kinds = {
  invalid_request: 'malformed',
  invalid_client: 'unauthenticated',
  invalid_grant: 'malformed',
  unsupported_grant_type: 'malformed',
  unsupported_response_type: 'malformed',
  invalid_scope: 'malformed',
  invalid_target: 'malformed',
  invalid_redirect_uri: 'malformed',
  invalid_client_metadata: 'malformed',
  temporarily_unavailable: 'unavailable',
  server_error: 'internal',
} satisfies Record<string, ErrorKind>;

export type OAuthErrorCode = keyof typeof kinds;

/** A refusal of an OAuth endpoint. The message is its `error_description`, for the developer of the client. */
export const oauthError = (
  code: OAuthErrorCode,
  message: string,
  extra?: ConstructorParameters<typeof AppError>[2],
): AppError => new AppError(code, { kind: kinds[code], message }, extra);

/** OAuth has no code for too many requests. The status is 429. */
export const tooManyRequests = (message: string, retryAfterSeconds: number): AppError =>
  new AppError('temporarily_unavailable', { kind: 'rate_limited', message }, { retryAfterSeconds });

export const isOAuthError = ({ code }: AppError): boolean => Object.hasOwn(kinds, code);
