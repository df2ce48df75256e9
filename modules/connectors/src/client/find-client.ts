import type { Query } from '@service/database';
import { oauthError } from '../errors.ts';
import type { ClientDocuments } from './client-documents.ts';
import type { ConnectorClient } from './client-metadata.ts';
import { findRegisteredClient } from './registered-clients.ts';

interface ClientParts {
  query: Query;
  documents: Pick<ClientDocuments, 'find'>;
}

/** The client of an authorization request. `sender` is the address of the browser. Throws invalid_client and the errors of documents. */
export async function findClient(
  { query, documents }: ClientParts,
  clientId: string,
  sender: string,
): Promise<ConnectorClient> {
  if (/^https?:/.test(clientId)) return documents.find(clientId, sender);
  const client = await findRegisteredClient(query, clientId);
  if (!client) {
    throw oauthError(
      'invalid_client',
      'The client is not registered here. Remove this server from the client and add it again.',
    );
  }
  return client;
}
