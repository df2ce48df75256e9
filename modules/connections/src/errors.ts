import { defineErrors } from '@service/errors';

export const connectionErrors = defineErrors({
  connection_not_found: { kind: 'not_found', message: 'The connection does not exist.' },
  too_many_connections: {
    kind: 'conflict',
    message: 'A workspace may have 10 connections. Disconnect one that is not needed.',
  },
  connection_changed: {
    kind: 'conflict',
    message: 'The credential was replaced at the same time. Nothing was saved.',
  },
  credential_refused: {
    kind: 'invalid',
    message: 'The provider refused the credential. Nothing was saved.',
  },
  provider_unreachable: {
    kind: 'invalid',
    message: 'The provider could not be reached or did not answer as expected. Nothing was saved.',
  },
  tool_refused: {
    kind: 'invalid',
    message: 'The marketing tool did not answer as expected.',
  },
  too_many_domain_checks: {
    kind: 'rate_limited',
    message: 'Too many domains are being checked. Retry after Retry-After seconds.',
    pageMessage: 'Too many domains are being checked at the moment.',
  },
  too_many_verifications: {
    kind: 'rate_limited',
    message: 'The workspace verifies two connections at the moment. Retry after Retry-After seconds.',
    pageMessage: 'The workspace verifies two connections at the moment.',
  },
});
