// Client id metadata documents (draft-ietf-oauth-client-id-metadata-document): the id of a client is the URL of a JSON document with
// its name and redirect URIs. Strangers choose these URLs, so the fetch has the rules of packages/outbound-http without any
// exception for private addresses, and every address and every host can use only a small part of it.
import { databaseTime } from '@service/database';
import {
  createOutboundAgent,
  createOutboundPolicy,
  createResolver,
  sendRequest,
  type OutboundAgentOptions,
  type SendOutcome,
} from '@service/outbound-http';
import { createBuckets } from '@service/rest';
import { LRUCache } from 'lru-cache';
import { oauthError, tooManyRequests } from '../errors.ts';
import { readClientMetadata, type ConnectorClient } from './client-metadata.ts';

export interface ClientDocuments {
  /**
   * The client of a metadata document. `sender` is the address of the browser. Throws invalid_client, invalid_client_metadata,
   * invalid_redirect_uri, temporarily_unavailable.
   */
  find(clientId: string, sender: string): Promise<ConnectorClient>;
  close(): Promise<void>;
}

/** The limit that the draft recommends for a document (6.6), so every conforming client keeps to it. */
const bytesMax = 5 * 1024;

/** For DNS, connection and document together. A person waits for the answer. */
const deadlineMs = 4000;

const documentsMax = 500;

/** Documents that are being fetched. A slow host is one of them for 4 s at most. */
const fetchesMax = { inAll: 40, ofSender: 4, ofHost: 8 };

/** Fetches of documents that are not kept, so that this service is no tool to flood a host. */
const ofHost = { burst: 120, perMinute: 120 };
const ofSender = { burst: 20, perMinute: 20 };

/** Tests reach documents on the own machine with another policy. There is no setting for it. */
export type DocumentOptions = Partial<Pick<OutboundAgentOptions, 'policy' | 'resolver' | 'ca'>>;

export function createClientDocuments(options: DocumentOptions = {}): ClientDocuments {
  const agent = createOutboundAgent({
    policy: createOutboundPolicy({ allowedCidrs: [], allowHttp: false }),
    resolver: createResolver(),
    ...options,
  });
  const kept = new LRUCache<string, ConnectorClient>({ max: documentsMax });
  const underWay = new Map<string, Promise<ConnectorClient>>();
  const places = createPlaces();
  const hosts = createBuckets(ofHost);
  const senders = createBuckets(ofSender);

  const fetchDocument = async (url: URL): Promise<ConnectorClient> => {
    const outcome = await sendRequest({
      agent,
      url: url.href,
      method: 'GET',
      headers: { accept: 'application/json', 'user-agent': 'webinar-service (client metadata)' },
      body: '',
      deadlineMs,
      maxResponseBytes: bytesMax,
      maxRedirects: 0,
    });
    if (outcome.kind === 'failed') throw unreadable(explain(outcome));
    if (outcome.statusCode !== 200) throw unreadable(`The answer has the status ${outcome.statusCode}.`);
    if (outcome.truncated) throw unreadable(`It is larger than ${bytesMax / 1024} KB, or it did not end.`);
    const client = readDocument(outcome.snippet, url.href);
    const seconds = cacheSeconds(outcome.headers['cache-control']);
    if (seconds > 0) kept.set(url.href, client, { ttl: seconds * 1000 });
    return client;
  };

  return {
    async find(clientId, sender) {
      const url = readClientUrl(clientId);
      const known = kept.get(url.href) ?? underWay.get(url.href);
      if (known) return known;
      const now = databaseTime();
      const wait = senders.take(sender, now) ?? hosts.take(url.host, now);
      if (wait !== undefined) throw tooMany(wait);
      const leave = places.enter({ sender, host: url.host });
      const fetching = fetchDocument(url).finally(() => {
        leave();
        underWay.delete(url.href);
      });
      underWay.set(url.href, fetching);
      return fetching;
    },
    close: () => agent.destroy(),
  };
}

/** The URL of a document, in the one spelling that a client id may have. Throws invalid_client. */
function readClientUrl(clientId: string): URL {
  const url = URL.parse(clientId);
  // The normal form has no dot segments, no default port and no upper-case host. So one document has one client id.
  const isNormal = url?.href === clientId && url.hash === '' && !clientId.includes('#');
  if (!isNormal || url.pathname === '/' || url.username !== '' || url.password !== '') {
    throw oauthError(
      'invalid_client',
      'The client_id must be an https URL with a path, in its normal form and without a fragment.',
    );
  }
  return url;
}

function readDocument(text: string, clientId: string): ConnectorClient {
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch (cause) {
    throw unreadable('It is not JSON.', cause);
  }
  if (typeof document !== 'object' || document === null || !('client_id' in document))
    throw unreadable('It has no client_id.');
  if (document.client_id !== clientId) throw unreadable('Its client_id is not its own URL.');
  const { name, redirectUris } = readClientMetadata(document);
  const { host } = new URL(clientId);
  return { id: clientId, name: name ?? host, host, redirectUris };
}

const explain = ({ failure, message }: Extract<SendOutcome, { kind: 'failed' }>): string =>
  failure === 'too_many_redirects' ? 'Its address redirects to another one.' : message;

const unreadable = (reason: string, cause?: unknown) =>
  oauthError('invalid_client', `The metadata document of the client cannot be used. ${reason}`, { cause });

const tooMany = (retryAfterSeconds: number) =>
  tooManyRequests('Too many metadata documents were requested.', retryAfterSeconds);

interface Visit {
  sender: string;
  host: string;
}

/** Counts the fetches that are under way: in all, of each sender and of each host. */
function createPlaces() {
  const taken = new Map<string, number>();
  const change = (keys: readonly string[], by: number): void => {
    for (const key of keys) {
      const count = (taken.get(key) ?? 0) + by;
      if (count === 0) taken.delete(key);
      else taken.set(key, count);
    }
  };
  return {
    /** Returns the function that frees the place. Throws temporarily_unavailable. */
    enter({ sender, host }: Visit): () => void {
      const keys = ['all', `sender ${sender}`, `host ${host}`];
      const limits = [fetchesMax.inAll, fetchesMax.ofSender, fetchesMax.ofHost];
      if (keys.some((key, index) => (taken.get(key) ?? 0) >= limits[index]!)) throw tooMany(1);
      change(keys, 1);
      return () => change(keys, -1);
    },
  };
}

/** A day. A client that changes its redirect URIs waits no longer. */
const secondsMax = 24 * 60 * 60;

/** Without a `Cache-Control` with a time. */
const secondsDefault = 600;

/** The time for which a document may be kept, in seconds (RFC 9111 5.2.2). 0 for one that may not be kept. */
export function cacheSeconds(cacheControl: string | undefined): number {
  const directives = (cacheControl ?? '').split(',').map((directive) => directive.trim().toLowerCase());
  if (directives.some((directive) => /^no-(store|cache)\b/.test(directive))) return 0;
  const ages = directives.flatMap((directive) => /^max-age="?(\d{1,10})"?$/.exec(directive)?.[1] ?? []);
  return Math.min(secondsMax, ages.length === 0 ? secondsDefault : Number(ages[0]));
}
