import { allScopes } from '@service/catalogue';
import type { Addresses } from '../addresses.ts';

/** Authorization server metadata (RFC 8414). All clients are public: a program on a computer keeps no secret. */
export const serverMetadata = (addresses: Addresses, docsUrl: string) => ({
  issuer: addresses.issuer,
  authorization_endpoint: addresses.authorization,
  token_endpoint: addresses.token,
  registration_endpoint: addresses.registration,
  revocation_endpoint: addresses.revocation,
  scopes_supported: allScopes,
  response_types_supported: ['code'],
  response_modes_supported: ['query'],
  grant_types_supported: ['authorization_code', 'refresh_token'],
  token_endpoint_auth_methods_supported: ['none'],
  revocation_endpoint_auth_methods_supported: ['none'],
  code_challenge_methods_supported: ['S256'],
  client_id_metadata_document_supported: true,
  authorization_response_iss_parameter_supported: true,
  protected_resources: [addresses.resource],
  service_documentation: docsUrl,
});

/** Protected resource metadata (RFC 9728) of the MCP address for connectors. */
export const resourceMetadata = (addresses: Addresses, docsUrl: string) => ({
  resource: addresses.resource,
  authorization_servers: [addresses.issuer],
  scopes_supported: allScopes,
  bearer_methods_supported: ['header'],
  resource_name: 'Webinars',
  resource_documentation: docsUrl,
});
