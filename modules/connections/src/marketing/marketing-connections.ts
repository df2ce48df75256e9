// The door for the module that updates contacts, and the verification of keys for pages and commands. Nothing here waits for a tool
// inside a transaction.
import {
  accountWriter,
  column,
  databaseTime,
  statement,
  type AccountQueries,
  type AccountWriter,
  type Database,
  type Query,
} from '@service/database';
import type {
  Catalogue,
  ContactChange,
  MarketingProvider,
  NewField,
  ToolContext,
  Verification,
} from '@service/marketing-providers';
import { LRUCache } from 'lru-cache';
import type { Observation } from '../connection/connection-state.ts';
import type { ConnectionState, MarketingSettings } from '../connection/connection.ts';
import {
  claimVerification,
  verifyMaxMs,
  type Credentials,
  type VerificationPlaces,
} from '../connection/credentials.ts';
import { connectionErrors } from '../errors.ts';
import type { OutcomeRecorder, UsedConnection } from '../outcome/record-outcome.ts';
import { storeFieldTypes } from './field-types.ts';

/** A connection to a marketing tool as it is now. */
export interface MarketingConnection extends UsedConnection {
  accountId: string;
  provider: MarketingProvider['id'];
  state: ConnectionState;
  /** The time at which the state began. */
  since: Date;
  isPaused: boolean;
  settings: MarketingSettings;
  sealedCredential: string;
}

/** A connection whose credential was opened. */
export interface OpenMarketingConnection extends Pick<MarketingConnection, 'accountId' | 'id' | 'version'> {
  provider: MarketingProvider;
  credential: unknown;
  /** For `provider.send`. */
  contextFor(signal: AbortSignal): ToolContext;
}

/** The state of a connection as its sends show it. Only a verification says that a key is refused. */
export type MarketingObservation = Exclude<Observation, { kind: 'refused' }>;

interface Given {
  credential: unknown;
  baseUrl: string | null;
}

/** The choices of mappings, with the time at which the tool was asked. */
export interface KnownCatalogue extends Catalogue {
  readAt: Date;
}

export interface MarketingConnections {
  readonly providers: readonly MarketingProvider[];
  findById(reader: AccountQueries, id: string): Promise<MarketingConnection | undefined>;
  /** Connections of several accounts, by their ids. */
  find(
    query: Query,
    keys: readonly { accountId: string; id: string }[],
  ): Promise<Map<string, MarketingConnection>>;
  /** Opens the credential of a connection that was just found. */
  open(connection: MarketingConnection): OpenMarketingConnection;
  /** Remembers a success. False: it must be recorded, because none was within a minute. */
  rememberSuccess(accountId: string, used: UsedConnection, now: Date): boolean;
  /** Records what a send says about its connection, in the transaction of the caller. */
  record(tx: AccountWriter, used: UsedConnection, observation: MarketingObservation): Promise<void>;
  /**
   * Verifies a connection whose tool has refused the key, and records the result. Does nothing within ten seconds after another
   * verification. Not for use in a transaction.
   */
  verifyAfterRefusal(accountId: string, used: UsedConnection): Promise<void>;
  /** Verifies a stored connection now and records the result. Throws connection_not_found, too_many_verifications. */
  verifyNow(accountId: string, id: string): Promise<void>;
  /** Verifies a credential that is not stored. Throws too_many_verifications. */
  verify(accountId: string, provider: MarketingProvider, given: Given): Promise<Verification>;
  /**
   * The fields, tags and lists of the account at the tool. Kept for an hour; `isFresh` asks again unless the tool was asked in the last 15 seconds.
   * Stores the types of the fields (`findFieldTypes`). Throws connection_not_found, tool_refused, too_many_verifications.
   */
  readCatalogue(accountId: string, id: string, options: { isFresh: boolean }): Promise<KnownCatalogue>;
  /** The same with a credential that is not stored. Undefined when the tool does not give it. Throws too_many_verifications. */
  readCatalogueOf(
    accountId: string,
    provider: MarketingProvider,
    given: Given,
  ): Promise<Catalogue | undefined>;
  /** Makes a field in the tool. Throws like `readCatalogue`. */
  createField(accountId: string, id: string, field: NewField): Promise<void>;
}

interface MarketingParts {
  database: Pick<Database, 'query' | 'transaction'>;
  providers: readonly MarketingProvider[];
  http: ToolContext['http'];
  credentials: Credentials;
  places: VerificationPlaces;
  recorder: OutcomeRecorder;
}

/** Catalogues have 20 KB mostly, and 1.5 MB at most. */
const cataloguesBytesMax = 32 * 1024 * 1024;
const catalogueKeptMs = 3_600_000;
const catalogueFreshMs = 15_000;

export function createMarketingConnections(parts: MarketingParts): MarketingConnections {
  const { database, providers, http, credentials, places, recorder } = parts;
  const catalogues = new LRUCache<string, KnownCatalogue>({
    maxSize: cataloguesBytesMax,
    sizeCalculation: (catalogue) => JSON.stringify(catalogue).length,
  });

  const providerOf = (id: string): MarketingProvider => {
    const provider = providers.find((one) => one.id === id);
    if (!provider) throw new Error(`There is no marketing tool ${id}.`);
    return provider;
  };

  const contextFor = (baseUrl: string | null, signal: AbortSignal): ToolContext => ({
    http,
    ...(baseUrl !== null && { baseUrl }),
    signal,
  });

  const open = (connection: MarketingConnection): OpenMarketingConnection => {
    const { accountId, id, version, settings } = connection;
    const provider = providerOf(connection.provider);
    return {
      accountId,
      id,
      version,
      provider,
      credential: credentials.open(connection, provider.credential),
      contextFor: (signal) => contextFor(settings.baseUrl, signal),
    };
  };

  const find: MarketingConnections['find'] = async (query, keys) => {
    if (keys.length === 0) return new Map();
    const rows = await query(selectByIds, [keys.map(({ accountId }) => accountId), keys.map(({ id }) => id)]);
    return new Map(rows.map((row) => [row.id, row]));
  };

  const findById: MarketingConnections['findById'] = async ({ query, accountId }, id) =>
    (await find(query, [{ accountId, id }])).get(id);

  const requireStored = async (accountId: string, id: string): Promise<MarketingConnection> => {
    const connection = await findById({ query: database.query, accountId }, id);
    if (!connection) throw connectionErrors.connection_not_found();
    return connection;
  };

  const verify: MarketingConnections['verify'] = (accountId, provider, { credential, baseUrl }) =>
    places.run(accountId, () =>
      provider.verify(credential, contextFor(baseUrl, AbortSignal.timeout(verifyMaxMs))),
    );

  const verifyStored = (connection: MarketingConnection): Promise<Verification> => {
    const { provider, credential } = open(connection);
    return verify(connection.accountId, provider, { credential, baseUrl: connection.settings.baseUrl });
  };

  /** Without an observation only the time of the verification is written. */
  const observe = (connection: MarketingConnection, observation: Observation | undefined): Promise<unknown> =>
    database.transaction((tx) =>
      recorder.observe(
        accountWriter(tx, { accountId: connection.accountId, now: databaseTime() }),
        connection,
        observation,
        { isVerification: true },
      ),
    );

  /** Calls a tool for a page, within the limits of verifications. */
  const callFor = async <Result>(
    accountId: string,
    id: string,
    call: (opened: OpenMarketingConnection, context: ToolContext) => Promise<Result | { failed: string }>,
  ): Promise<Result> => {
    const opened = open(await requireStored(accountId, id));
    const answer = await places.run(accountId, () =>
      call(opened, opened.contextFor(AbortSignal.timeout(verifyMaxMs))),
    );
    if (typeof answer === 'object' && answer !== null && 'failed' in answer)
      throw connectionErrors.tool_refused({
        issues: [{ path: 'connectionId', message: `${opened.provider.name}: ${answer.failed}` }],
      });
    return answer;
  };

  return {
    providers,
    find,
    findById,
    open,
    verify,
    rememberSuccess: recorder.rememberSuccess,

    async record(tx, used, observation) {
      if (observation.kind === 'worked' && recorder.rememberSuccess(tx.accountId, used, tx.now)) return;
      await recorder.observe(tx, used, observation, { isVerification: false });
    },

    async verifyAfterRefusal(accountId, { id, version }) {
      const connection = await findById({ query: database.query, accountId }, id);
      if (!connection || connection.version !== version) return;
      const claimed = await database.query(claimVerification, [accountId, id, version]);
      if (claimed.length === 0) return;
      const verification = await verifyStored(connection);
      // One refusal of a valid key says nothing.
      await observe(connection, verification.kind === 'accepted' ? undefined : observationOf(verification));
    },

    async verifyNow(accountId, id) {
      const connection = await requireStored(accountId, id);
      await observe(connection, observationOf(await verifyStored(connection)));
    },

    async readCatalogue(accountId, id, { isFresh }) {
      const { version } = await requireStored(accountId, id);
      const name = `${accountId} ${id} ${version}`;
      const known = catalogues.get(name);
      const keptMs = isFresh ? catalogueFreshMs : catalogueKeptMs;
      if (known && databaseTime().getTime() - known.readAt.getTime() < keptMs) return known;
      const catalogue = await callFor<Catalogue>(accountId, id, ({ provider, credential }, context) =>
        provider.readCatalogue(credential, context),
      );
      await storeFieldTypes({ query: database.query, accountId }, { id, version }, catalogue);
      const read = { ...catalogue, readAt: databaseTime() };
      catalogues.set(name, read);
      return read;
    },

    async readCatalogueOf(accountId, provider, { credential, baseUrl }) {
      const read = await places.run(accountId, () =>
        provider.readCatalogue(credential, contextFor(baseUrl, AbortSignal.timeout(verifyMaxMs))),
      );
      return 'failed' in read ? undefined : read;
    },

    async createField(accountId, id, field) {
      const { version } = await requireStored(accountId, id);
      await callFor<true>(accountId, id, async ({ provider, credential }, context) => {
        const request = provider.createField?.(field);
        if (!request) return { failed: 'Fields cannot be made over its API.' };
        const answer = await provider.send(request, credential, context);
        const outcome = provider.read(request, answer, nothing, credential);
        return outcome.kind === 'done' || { failed: outcome.reason };
      });
      catalogues.delete(`${accountId} ${id} ${version}`);
    },
  };
}

const observationOf = (verification: Verification): Observation => {
  if (verification.kind === 'accepted') return { kind: 'worked' };
  const { kind, reason } = verification;
  if (kind === 'refused') return { kind, reason };
  return { kind: kind === 'not_allowed' ? 'unsuitable' : 'later', reason };
};

/** A call about no person has no change. */
const nothing: ContactChange = {
  email: '',
  fields: [],
  tags: { add: [], remove: [] },
  lists: { add: [], remove: [] },
  events: [],
  consent: undefined,
  isBackfill: false,
};

const selectByIds = statement({
  name: 'connections.select_marketing',
  text: `
    select account_id as "accountId", id, credential_version as version, provider, state, since, paused_at is not null as "isPaused",
      settings, sealed_credential as "sealedCredential"
    from unnest($1::uuid[], $2::uuid[]) as wanted (account_id, id) join connections.connection using (account_id, id)
    where kind = 'marketing'`,
  row: {
    accountId: column.id,
    id: column.id,
    version: column.integer,
    provider: column.textOf<MarketingProvider['id']>(),
    state: column.textOf<ConnectionState>(),
    since: column.time,
    isPaused: column.boolean,
    settings: column.json<MarketingSettings>(),
    sealedCredential: column.text,
  },
});
