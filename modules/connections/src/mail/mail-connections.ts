// The door for the module that sends mails, and the verification of credentials for pages and commands. Nothing here waits for a
// provider inside a transaction.
import type { ChangeAnnouncer } from '@service/changes';
import {
  accountWriter,
  column,
  databaseTime,
  nullable,
  statement,
  type AccountQueries,
  type AccountWriter,
  type Database,
  type Query,
} from '@service/database';
import type { MailSender, SendContext, SendOutcome, Verification } from '@service/mail-senders';
import type { MarketingProvider } from '@service/marketing-providers';
import type { SecretBox } from '@service/secrets';
import type { FromCheck } from '../connection/change-connections.ts';
import type { Observation } from '../connection/connection-state.ts';
import { reportSealContext, type ConnectionState, type MailSettings } from '../connection/connection.ts';
import {
  claimVerification,
  createCredentials,
  createVerificationPlaces,
  verifyMaxMs,
} from '../connection/credentials.ts';
import { createDomainReports, type DomainReport } from '../domain/domain-reports.ts';
import { connectionErrors } from '../errors.ts';
import { createMarketingConnections, type MarketingConnections } from '../marketing/marketing-connections.ts';
import { createOutcomeRecorder, type Recorded, type UsedConnection } from '../outcome/record-outcome.ts';
import { findDomainProblem, refuseFreeMail, smtpHostOf } from '../domain/from-address.ts';

/** The connection that sends the mails of an account, as it is now. */
export interface MailConnection extends UsedConnection {
  accountId: string;
  provider: MailSender['id'];
  state: ConnectionState;
  isPaused: boolean;
  settings: MailSettings;
  sealedCredential: string;
  reportSecretVersion: number;
  sealedReportSecret: string | null;
}

/** A connection whose credential was opened. `send` makes one attempt and never rejects. */
export interface OpenMailConnection extends Pick<MailConnection, 'id' | 'version' | 'settings'> {
  sender: MailSender;
  credential: unknown;
  /** For `sender.send`. */
  contextFor(signal: AbortSignal): SendContext;
}

export interface Connections {
  readonly senders: readonly MailSender[];
  /** The connections to marketing tools. */
  readonly marketing: MarketingConnections;
  /** The connection that is marked as the default. Undefined: the account uses the sender of the installation. */
  findMailConnection(reader: AccountQueries): Promise<MailConnection | undefined>;
  /** The default connections of several accounts, by account id. */
  findMailConnections(query: Query, accountIds: readonly string[]): Promise<Map<string, MailConnection>>;
  /** A connection by its id, also one that is not the default any more. */
  findById(reader: AccountQueries, id: string): Promise<MailConnection | undefined>;
  /** Opens the credential of a connection that was just found. Opened credentials are remembered by their version. */
  openMailConnection(connection: MailConnection): OpenMailConnection;
  /** Remembers a success. False: it must be recorded, because none was within a minute. */
  rememberSuccess(accountId: string, used: UsedConnection, now: Date): boolean;
  /** Records what became of a mail, in the transaction of the caller. */
  recordOutcome(tx: AccountWriter, used: UsedConnection, outcome: SendOutcome): Promise<Recorded>;
  /**
   * Verifies a connection whose provider has refused a mail or the credential, and records the result. Does nothing within ten seconds after
   * another verification. Not for use in a transaction. Returns the state afterwards; undefined when the connection is gone.
   */
  verifyAfterRefusal(
    accountId: string,
    used: UsedConnection,
    refusal: Extract<SendOutcome, { kind: 'credential_refused' | 'mail_refused' }>,
  ): Promise<ConnectionState | undefined>;
  /** Verifies a stored connection now and records the result. Throws connection_not_found, too_many_verifications. */
  verifyNow(accountId: string, id: string): Promise<void>;
  /**
   * Checks another From address of a stored connection with its provider. Records nothing. Throws connection_not_found,
   * too_many_verifications.
   */
  checkFrom(accountId: string, id: string, address: string): Promise<FromCheck>;
  /** The DNS records of the From domain, at most five minutes old. Throws connection_not_found, too_many_domain_checks. */
  reportDomain(accountId: string, id: string, options: { isFresh: boolean }): Promise<DomainReport>;
  /** Verifies a credential that is not stored. Throws too_many_verifications. */
  verify(accountId: string, sender: MailSender, given: Given): Promise<Verification>;
  seal(credential: unknown, key: { id: string; credentialVersion: number }): string;
  sealReportSecret(secret: string, key: { id: string; reportSecretVersion: number }): string;
  /** The secret with which the provider signs reports. Undefined: it was not given. */
  openReportSecret(connection: MailConnection): string | undefined;
  /** Refuses the URL of an API by the outbound rules. Undefined: it is allowed. */
  refuseUrl(url: string): Promise<string | undefined>;
  /** After a person changed a connection. */
  forget(accountId: string, id: string): void;
}

interface Given {
  credential: unknown;
  baseUrl: string | null;
}

export interface ConnectionParts {
  database: Pick<Database, 'query' | 'transaction'>;
  secretBox: SecretBox;
  senders: readonly MailSender[];
  marketingProviders: readonly MarketingProvider[];
  outbound: Pick<SendContext, 'http' | 'openSocket' | 'ca'>;
  /** Why the outbound rules refuse a URL. */
  refuseUrl: (url: string) => Promise<string | undefined>;
  changes?: Pick<ChangeAnnouncer, 'announce'>;
  /** `address:port` of the DNS servers that are asked about From domains. Those of the system by default. */
  dnsServers?: readonly string[] | undefined;
}

export function createConnections(parts: ConnectionParts): Connections {
  const { database, secretBox, senders, outbound, refuseUrl, changes } = parts;
  const recorder = createOutcomeRecorder({ changes });
  const credentials = createCredentials(secretBox);
  const places = createVerificationPlaces();
  const reportDomain = createDomainReports({ servers: parts.dnsServers });

  const senderOf = (provider: string): MailSender => {
    const sender = senders.find(({ id }) => id === provider);
    if (!sender) throw new Error(`There is no mail sender ${provider}.`);
    return sender;
  };

  const openCredential = (connection: MailConnection): unknown =>
    credentials.open(connection, senderOf(connection.provider).credential);

  const contextFor = (baseUrl: string | null, signal: AbortSignal): SendContext => ({
    ...outbound,
    ...(baseUrl !== null && { baseUrl }),
    signal,
  });

  const verify: Connections['verify'] = (accountId, sender, { credential, baseUrl }) =>
    places.run(accountId, () =>
      sender.verify(credential, contextFor(baseUrl, AbortSignal.timeout(verifyMaxMs))),
    );

  const verifyStored = (connection: MailConnection): Promise<Verification> =>
    verify(connection.accountId, senderOf(connection.provider), {
      credential: openCredential(connection),
      baseUrl: connection.settings.baseUrl,
    });

  const findById = async (reader: AccountQueries, id: string): Promise<MailConnection | undefined> =>
    (await reader.query(selectById, [reader.accountId, id]))[0];

  const requireStored = async (accountId: string, id: string): Promise<MailConnection> => {
    const connection = await findById({ query: database.query, accountId }, id);
    if (!connection) throw connectionErrors.connection_not_found();
    return connection;
  };

  /** Without an observation only the time of the verification is written. */
  const observe = (
    connection: MailConnection,
    observation: Observation | undefined,
  ): Promise<ConnectionState | undefined> =>
    database.transaction((tx) =>
      recorder.observe(
        accountWriter(tx, { accountId: connection.accountId, now: databaseTime() }),
        connection,
        observation,
        { isVerification: true },
      ),
    );

  const observationOf = ({ provider, settings }: MailConnection, verification: Verification): Observation => {
    if (verification.kind !== 'accepted')
      return { kind: verification.kind === 'refused' ? 'refused' : 'later', reason: verification.reason };
    const { domains } = verification;
    const problem = findDomainProblem(settings.from.address, domains, senderOf(provider).name);
    return problem === undefined ? { kind: 'worked' } : { kind: 'unsuitable', reason: problem };
  };

  return {
    senders,
    marketing: createMarketingConnections({
      database,
      providers: parts.marketingProviders,
      http: outbound.http,
      credentials,
      places,
      recorder,
    }),
    verify,
    refuseUrl,
    forget: recorder.forget,
    rememberSuccess: recorder.rememberSuccess,
    recordOutcome: recorder.recordOutcome,
    seal: credentials.seal,
    sealReportSecret: (secret, key) => secretBox.seal(secret, reportSealContext(key)),
    openReportSecret: (connection) =>
      connection.sealedReportSecret === null
        ? undefined
        : secretBox.open(connection.sealedReportSecret, reportSealContext(connection)),

    findMailConnection: async ({ query, accountId }) =>
      (await findMailConnections(query, [accountId])).get(accountId),

    findMailConnections,

    findById,

    openMailConnection: (connection) => ({
      id: connection.id,
      version: connection.version,
      settings: connection.settings,
      sender: senderOf(connection.provider),
      credential: openCredential(connection),
      contextFor: (signal) => contextFor(connection.settings.baseUrl, signal),
    }),

    async verifyAfterRefusal(accountId, { id, version }, refusal) {
      const reader = { query: database.query, accountId };
      const connection = await findById(reader, id);
      if (!connection || connection.version !== version) return connection?.state;
      const claimed = await database.query(claimVerification, [accountId, id, version]);
      if (claimed.length === 0) return connection.state;
      const verification = await verifyStored(connection);
      const observation = observationOf(connection, verification);
      // The credential is valid. The refusal itself says what does not fit, unless the provider has verified the domain of a refused
      // mail: then its content was refused.
      if (verification.kind === 'accepted' && observation.kind === 'worked') {
        const isOfContent = refusal.kind === 'mail_refused' && verification.domains.length > 0;
        return observe(connection, isOfContent ? undefined : { kind: 'unsuitable', reason: refusal.reason });
      }
      return observe(connection, observation);
    },

    async checkFrom(accountId, id, address) {
      const connection = await requireStored(accountId, id);
      const freeMail = refuseFreeMail(address, smtpHostOf(connection.provider, openCredential(connection)));
      if (freeMail !== undefined) return { kind: 'refused', reason: freeMail };
      const verification = await verifyStored(connection);
      if (verification.kind !== 'accepted') return { kind: 'unknown' };
      const problem = findDomainProblem(address, verification.domains, senderOf(connection.provider).name);
      return problem === undefined ? { kind: 'suitable' } : { kind: 'unsuitable', reason: problem };
    },

    async reportDomain(accountId, id, options) {
      const connection = await requireStored(accountId, id);
      const { provider, settings } = connection;
      const credential = openCredential(connection);
      return reportDomain({ accountId, sender: senderOf(provider), credential, settings }, options);
    },

    async verifyNow(accountId, id) {
      const connection = await requireStored(accountId, id);
      await observe(connection, observationOf(connection, await verifyStored(connection)));
    },
  };
}

const columns = `account_id as "accountId", id, credential_version as version, provider, state, paused_at is not null as "isPaused",
      settings, sealed_credential as "sealedCredential", report_secret_version as "reportSecretVersion",
      sealed_report_secret as "sealedReportSecret"`;

const row = {
  accountId: column.id,
  id: column.id,
  version: column.integer,
  provider: column.textOf<MailSender['id']>(),
  state: column.textOf<ConnectionState>(),
  isPaused: column.boolean,
  settings: column.json<MailSettings>(),
  sealedCredential: column.text,
  reportSecretVersion: column.integer,
  sealedReportSecret: nullable(column.text),
};

const selectDefaults = statement({
  name: 'connections.select_defaults',
  text: `select ${columns} from connections.connection where account_id = any($1::uuid[]) and kind = 'mail' and is_default`,
  row,
});

const findMailConnections: Connections['findMailConnections'] = async (query, accountIds) =>
  new Map((await query(selectDefaults, [accountIds])).map((found) => [found.accountId, found]));

const selectById = statement({
  name: 'connections.select_by_id',
  text: `select ${columns} from connections.connection where account_id = $1 and id = $2 and kind = 'mail'`,
  row,
});
