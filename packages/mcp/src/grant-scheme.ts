import { commonErrors } from '@service/errors';
import type { AdmitClient, CredentialScheme } from '@service/surface';

/**
 * Access tokens of connectors (RFC 6750, section 3, and RFC 9728, section 5.1). A client that gets 401 refreshes its token and
 * tries again. So a token without the scope gets 403, with the scopes of this call only: the client adds those that it has.
 */
export function grantScheme(admit: AdmitClient, metadataUrl: string): CredentialScheme {
  const metadata = `resource_metadata="${metadataUrl}"`;
  return {
    admit,
    admitsWithoutScopes: true,
    refuse: (authorization) =>
      commonErrors.invalid_access_token({
        challenge:
          authorization === undefined ? `Bearer ${metadata}` : `Bearer error="invalid_token", ${metadata}`,
      }),
    refuseScopes: (scopes) =>
      commonErrors.insufficient_scope({
        challenge: `Bearer error="insufficient_scope", scope="${scopes.join(' ')}", ${metadata}`,
        details: { scopes },
      }),
  };
}
