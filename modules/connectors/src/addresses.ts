import { allScopes } from '@service/catalogue';

/** The public addresses of the authorization server, from the public URL of the service. */
export interface Addresses {
  /** The identifier of the authorization server. It has a path, so that the root of the host announces no authorization server. */
  issuer: string;
  authorization: string;
  token: string;
  registration: string;
  revocation: string;
  /** The MCP address for connectors, for which all tokens are issued (RFC 8707). */
  resource: string;
  /** The page on which a member decides. */
  consent: string;
}

export const oauthPath = '/oauth';

const resourcePath = '/mcp/connect';

/** The MCP address for connectors, and its metadata with that path inserted (RFC 9728, section 3.1). */
export const protectedResource = {
  path: resourcePath,
  metadataPath: `/.well-known/oauth-protected-resource${resourcePath}`,
} as const;

export function createAddresses(baseUrl: string): Addresses {
  const issuer = `${baseUrl}${oauthPath}`;
  return {
    issuer,
    authorization: `${issuer}/authorize`,
    token: `${issuer}/token`,
    registration: `${issuer}/register`,
    revocation: `${issuer}/revoke`,
    resource: `${baseUrl}${protectedResource.path}`,
    consent: `${baseUrl}/connect`,
  };
}

/** True for the resource in any spelling of its host and scheme, with or without a slash at its end. */
export function isResource(text: string, { resource }: Pick<Addresses, 'resource'>): boolean {
  const normal = (url: string): string | undefined => URL.parse(url)?.href.replace(/\/$/, '');
  return normal(text) === normal(resource);
}

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
