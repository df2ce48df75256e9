import { defineErrors } from '@service/errors';

export const connectionErrors = defineErrors({
  connection_not_found: {
    kind: 'not_found',
    message: 'The connection does not exist.',
    remedy: 'Take the id from `GET /connections` of the same workspace.',
  },
  too_many_connections: {
    kind: 'conflict',
    message: 'A workspace may have 10 connections. Disconnect one that is not needed.',
    remedy: 'Disconnect a connection that is not needed, then add the new one.',
  },
  connection_changed: {
    kind: 'conflict',
    message: 'The credential was replaced at the same time. Nothing was saved.',
    remedy: 'Load the page again, and save the credential again if it is still needed.',
  },
  credential_refused: {
    kind: 'invalid',
    message: 'The provider refused the credential. Nothing was saved.',
    remedy:
      'Create a credential at the provider with the permissions that the form names, and paste it whole.',
  },
  provider_unreachable: {
    kind: 'invalid',
    message: 'The provider could not be reached or did not answer as expected. Nothing was saved.',
    remedy: 'Check the address and the status page of the provider, then save again.',
  },
  tool_refused: {
    kind: 'invalid',
    message: 'The marketing tool did not answer as expected.',
    remedy: 'Check the credential and the status page of the marketing tool, then try again.',
  },
  too_many_domain_checks: {
    kind: 'rate_limited',
    message: 'Too many domains are being checked. Retry after Retry-After seconds.',
    pageMessage: 'Too many domains are being checked at the moment.',
    remedy: 'Wait for the seconds of `Retry-After`, then check the domain again.',
  },
  too_many_verifications: {
    kind: 'rate_limited',
    message: 'The workspace verifies two connections at the moment. Retry after Retry-After seconds.',
    pageMessage: 'The workspace verifies two connections at the moment.',
    remedy: 'Wait until one of the two verifications has ended, then save again.',
  },
});
