// POST /oauth/register (RFC 7591), for clients without a metadata document.
import type { Query } from '@service/database';
import { readClientMetadata } from '../client/client-metadata.ts';
import { registerClient } from '../client/registered-clients.ts';
import type { Limits } from './oauth-limits.ts';

/** The name of a client that gives none. */
const unnamed = 'Unnamed client';

/**
 * Stores a registration. Returns the answer of RFC 7591 3.2.1. It names the values that count here: every client is public, also one
 * that asked for a secret. Throws invalid_client_metadata, invalid_redirect_uri, temporarily_unavailable.
 */
export async function register(
  { query, limits }: { query: Query; limits: Limits },
  metadata: unknown,
  sender: string,
): Promise<object> {
  const { name = unnamed, redirectUris } = readClientMetadata(metadata);
  limits.take('register', sender);
  const id = await registerClient(query, { name, redirectUris });
  return {
    client_id: id,
    client_id_issued_at: Math.floor(Date.now() / 1000),
    client_name: name,
    redirect_uris: redirectUris,
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
  };
}
