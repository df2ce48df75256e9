// GET /oauth/authorize. Checks the request of a client, seals it and sends the browser to the consent page. It stores nothing.
import { createId, databaseTime, type Query } from '@service/database';
import { addressKey } from '@service/rest';
import type { SecretBox } from '@service/secrets';
import type { Request } from 'express';
import type { Addresses } from '../addresses.ts';
import { readParameters, readAskedAccess, readState, type AskedAccess } from '../authorize/parameters.ts';
import { sealRequest } from '../authorize/sealed-request.ts';
import type { ClientDocuments } from '../client/client-documents.ts';
import type { ConnectorClient } from '../client/client-metadata.ts';
import { answerTo, matchesRedirect } from '../client/redirect-uri.ts';
import { findRegisteredClient } from '../client/registered-clients.ts';
import { oauthError } from '../errors.ts';
import { refusalOf } from './oauth-answer.ts';
import type { Limits } from './oauth-limits.ts';

export interface AuthorizeParts {
  query: Query;
  secretBox: SecretBox;
  addresses: Addresses;
  documents: Pick<ClientDocuments, 'find'>;
  limits: Limits;
}

/**
 * The address to which the browser goes next: the consent page, or the redirect URI with an error. Throws when the client or the
 * redirect URI cannot be trusted: then the browser must not leave this host (RFC 6749 4.1.2.1).
 */
export async function authorize(parts: AuthorizeParts, request: Request): Promise<string> {
  const { addresses, limits, secretBox } = parts;
  const sender = addressKey(request.ip ?? '');
  limits.take('authorize', sender);
  const parameters = readParameters(new URL(request.originalUrl, addresses.issuer).searchParams);
  const client = await findClient(parts, parameters.require('client_id'), sender);
  const redirectUri = parameters.require('redirect_uri');
  if (!matchesRedirect(redirectUri, client.redirectUris)) {
    throw oauthError(
      'invalid_request',
      `redirect_uri is not one of those that ${client.name} has registered.`,
    );
  }
  const state = readState(parameters);
  let asked: AskedAccess;
  try {
    asked = readAskedAccess(parameters, addresses);
  } catch (thrown) {
    const { code, message } = refusalOf(thrown);
    return answerTo(redirectUri, {
      error: code,
      error_description: message,
      state,
      iss: addresses.issuer,
    });
  }
  const { id, name, host } = client;
  const sealed = sealRequest(
    { ...asked, id: createId(), client: { id, name, host }, redirectUri, state },
    { secretBox, now: databaseTime() },
  );
  return `${addresses.consent}?${new URLSearchParams({ request: sealed }).toString()}`;
}

interface ClientParts {
  query: Query;
  documents: Pick<ClientDocuments, 'find'>;
}

/** The client of an authorization request. `sender` is the address of the browser. Throws invalid_client and the errors of documents. */
async function findClient(
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
