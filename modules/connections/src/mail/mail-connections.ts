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
} from '@service/database';
import type { MailSender, SendContext, SendOutcome, Verification } from '@service/mail-senders';
import type { SecretBox } from '@service/secrets';
import { LRUCache } from 'lru-cache';
import type { FromCheck } from '../connection/change-connections.ts';
import type { Observation } from '../connection/connection-state.ts';
import {
  reportSealContext,
  sealContext,
  type ConnectionState,
  type MailSettings,
} from '../connection/connection.ts';
import { createDomainReports, type DomainReport } from '../domain/domain-reports.ts';
import { connectionErrors } from '../errors.ts';
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
  /** The connection that is marked as the default. Undefined: the account uses the sender of the installation. */
  findMailConnection(reader: AccountQueries): Promise<MailConnection | undefined>;
  /** A connection by its id, also one that is not the default any more. */
  findById(reader: AccountQueries, id: string): Promise<MailConnection | undefined>;
  /** Opens the credential of a connection that was just found. Opened credentials are remembered by their version. */
  openMailConnection(connection: MailConnection): OpenMailConnection;
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
  outbound: Pick<SendContext, 'http' | 'openSocket' | 'ca'>;
  /** Why the outbound rules refuse a URL. */
  refuseUrl: (url: string) => Promise<string | undefined>;
  changes?: Pick<ChangeAnnouncer, 'announce'>;
  /** `address:port` of the DNS servers that are asked about From domains. Those of the system by default. */
  dnsServers?: readonly string[] | undefined;
}

const openedMax = 500;
const verifyMaxMs = 15_000;
const verificationsMax = { inAll: 20, ofAccount: 2 };

export function createConnections(parts: ConnectionParts): Connections {
  const { database, secretBox, senders, outbound, refuseUrl, changes } = parts;
  const recorder = createOutcomeRecorder({ changes });
  const opened = new LRUCache<string, { credential: unknown }>({ max: openedMax });
  const places = createPlaces();
  const reportDomain = createDomainReports({ servers: parts.dnsServers });

  const senderOf = (provider: string): MailSender => {
    const sender = senders.find(({ id }) => id === provider);
    if (!sender) throw new Error(`There is no mail sender ${provider}.`);
    return sender;
  };

  const openCredential = ({
    accountId,
    id,
    version,
    provider,
    sealedCredential,
  }: MailConnection): unknown => {
    const name = `${accountId} ${id} ${version}`;
    const known = opened.get(name);
    if (known) return known.credential;
    const text = secretBox.open(sealedCredential, sealContext({ id, credentialVersion: version }));
    const credential = senderOf(provider).credential.parse(JSON.parse(text));
    opened.set(name, { credential });
    return credential;
  };

  const contextFor = (baseUrl: string | null, signal: AbortSignal): SendContext => ({
    ...outbound,
    ...(baseUrl !== null && { baseUrl }),
    signal,
  });

  const verify: Connections['verify'] = async (accountId, sender, { credential, baseUrl }) => {
    const leave = places.enter(accountId);
    try {
      return await sender.verify(credential, contextFor(baseUrl, AbortSignal.timeout(verifyMaxMs)));
    } finally {
      leave();
    }
  };

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
    verify,
    refuseUrl,
    forget: recorder.forget,
    recordOutcome: recorder.recordOutcome,
    seal: (credential, key) => secretBox.seal(JSON.stringify(credential), sealContext(key)),
    sealReportSecret: (secret, key) => secretBox.seal(secret, reportSealContext(key)),
    openReportSecret: (connection) =>
      connection.sealedReportSecret === null
        ? undefined
        : secretBox.open(connection.sealedReportSecret, reportSealContext(connection)),

    async findMailConnection({ query, accountId }) {
      const [row] = await query(selectDefault, [accountId]);
      return row;
    },

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

const selectDefault = statement({
  name: 'connections.select_default',
  text: `select ${columns} from connections.connection where account_id = $1 and kind = 'mail' and is_default`,
  row,
});

const selectById = statement({
  name: 'connections.select_by_id',
  text: `select ${columns} from connections.connection where account_id = $1 and id = $2 and kind = 'mail'`,
  row,
});

/** One verification in ten seconds, over all processes. $1 account, $2 connection, $3 version. */
const claimVerification = statement({
  name: 'connections.claim_verification',
  text: `
    update connections.connection set checked_at = now()
    where account_id = $1 and id = $2 and credential_version = $3 and checked_at <= now() - interval '10 seconds' returning id`,
  row: { id: column.id },
});

/** Bounds the verifications that are under way. */
function createPlaces() {
  const byAccount = new Map<string, number>();
  let inAll = 0;
  return {
    /** Throws too_many_verifications. The caller must call the returned function at the end. */
    enter(accountId: string): () => void {
      const own = byAccount.get(accountId) ?? 0;
      if (own >= verificationsMax.ofAccount || inAll >= verificationsMax.inAll)
        throw connectionErrors.too_many_verifications({ retryAfterSeconds: 5 });
      byAccount.set(accountId, own + 1);
      inAll += 1;
      return () => {
        inAll -= 1;
        const left = byAccount.get(accountId)! - 1;
        if (left > 0) byAccount.set(accountId, left);
        else byAccount.delete(accountId);
      };
    },
  };
}
