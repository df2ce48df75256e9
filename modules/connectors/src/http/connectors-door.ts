// The HTTP routes of the authorization server. Its callers have no API key, so it is outside of the chain of the API.
import type { ChangeAnnouncer } from '@service/changes';
import { createId, type Database, type Query } from '@service/database';
import type { Log } from '@service/log';
import type { HttpDoor } from '@service/module';
import { addressKey } from '@service/rest';
import type { SecretBox } from '@service/secrets';
import { logFailure } from '@service/trpc';
import { Router, type Request, type RequestHandler } from 'express';
import {
  createAddresses,
  oauthPath,
  protectedResource,
  resourceMetadata,
  serverMetadata,
} from '../addresses.ts';
import type { ClientDocuments } from '../client/client-documents.ts';
import { readClientMetadata } from '../client/client-metadata.ts';
import { registerClient } from '../client/registered-clients.ts';
import { authorize } from './authorize.ts';
import { readForm, readMetadata, refusalOf, sendOAuth, sendPage, sendRefusal } from './oauth-answer.ts';
import { createLimits, type Limits } from './oauth-limits.ts';
import { revokeToken, issueTokens } from './token.ts';

export interface DoorParts {
  baseUrl: string;
  database: Database;
  secretBox: SecretBox;
  clientDocuments: ClientDocuments;
  changes: Pick<ChangeAnnouncer, 'announce'>;
  docsUrl: string;
  log: Log;
}

export function createConnectorsDoor({
  baseUrl,
  database,
  changes,
  docsUrl,
  log,
  ...rest
}: DoorParts): HttpDoor {
  const router = Router({ caseSensitive: true, strict: true });
  const addresses = createAddresses(baseUrl);
  const parts = {
    database,
    query: database.query,
    addresses,
    secretBox: rest.secretBox,
    documents: rest.clientDocuments,
    limits: createLimits(),
    onChanged: (accountId: string) => changes.announce(accountId, 'keys'),
  };

  const refusalFor = (thrown: unknown) => {
    const refusal = refusalOf(thrown);
    logFailure(log, refusal, { message: 'A request for authorization failed', requestId: createId() });
    return refusal;
  };

  const answerJson =
    (
      answer: (request: Request, sender: string) => Promise<{ status: number; body: object }>,
    ): RequestHandler =>
    async (request, response) => {
      try {
        sendOAuth(response, await answer(request, addressKey(request.ip ?? '')));
      } catch (thrown) {
        sendRefusal(response, refusalFor(thrown));
      }
    };

  const post = (path: string, handler: RequestHandler): void =>
    void router
      .route(`${oauthPath}${path}`)
      .options(allowPages('POST'))
      .post(allowPages(), handler)
      .all(refuseMethod('POST'));

  const publish = (path: string, metadata: object): void =>
    void router
      .route(path)
      .options(allowPages('GET'))
      .get(allowPages(), (_request, response) =>
        sendOAuth(response, {
          status: 200,
          body: metadata,
          headers: { 'Cache-Control': 'public, max-age=300' },
        }),
      )
      .all(refuseMethod('GET'));

  // Only with the paths inserted (RFC 8414 3.1, RFC 9728 3.1). A client of /mcp that finds either of them would ignore its key.
  // SDK 1.15 inserts the path of the resource instead of that of the issuer.
  for (const path of [oauthPath, protectedResource.path])
    publish(`/.well-known/oauth-authorization-server${path}`, serverMetadata(addresses, docsUrl));
  publish(protectedResource.metadataPath, resourceMetadata(addresses, docsUrl));

  router
    .route(`${oauthPath}/authorize`)
    .get(async (request, response) => {
      response.setHeader('Cache-Control', 'no-store');
      try {
        response.redirect(302, await authorize(parts, request));
      } catch (thrown) {
        const refusal = refusalFor(thrown);
        // mcp-remote asks for JSON before it opens the browser, to find out that its registration has ended.
        if (request.accepts(['html', 'json']) === 'json') sendRefusal(response, refusal);
        else sendPage(response, refusal);
      }
    })
    .all(refuseMethod('GET'));
  post(
    '/token',
    answerJson(async (request, sender) => ({
      status: 200,
      body: await issueTokens(parts, await readForm(request), sender),
    })),
  );
  post(
    '/revoke',
    answerJson(async (request, sender) => {
      await revokeToken(parts, await readForm(request), sender);
      return { status: 200, body: {} };
    }),
  );
  post(
    '/register',
    answerJson(async (request, sender) => ({
      status: 201,
      body: await register(parts, await readMetadata(request), sender),
    })),
  );
  return { mount: (routes) => void routes.use(router) };
}

/**
 * Lets pages of every origin read an answer: clients may run in browsers, and no answer depends on a cookie. With methods it answers
 * a preflight request.
 */
const allowPages =
  (methods?: string): RequestHandler =>
  (_request, response, next) => {
    response.setHeader('Access-Control-Allow-Origin', '*');
    if (methods === undefined) return next();
    response.writeHead(204, {
      'Access-Control-Allow-Methods': methods,
      'Access-Control-Allow-Headers': 'Content-Type, Authorization, MCP-Protocol-Version',
      'Access-Control-Max-Age': '600',
    });
    return response.end();
  };

const refuseMethod =
  (allowed: string): RequestHandler =>
  (_request, response) => {
    sendOAuth(response, {
      status: 405,
      body: { error: 'invalid_request', error_description: `Use ${allowed}.` },
      headers: { Allow: allowed },
    });
  };

/** The name of a client that gives none. */
const unnamed = 'Unnamed client';

/**
 * `POST /oauth/register`, for clients without a metadata document. Stores a registration. Returns the answer of RFC 7591 3.2.1. It names the values that count here: every client is public, also one
 * that asked for a secret. Throws invalid_client_metadata, invalid_redirect_uri, temporarily_unavailable.
 */
async function register(
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
