import {
  dataOf,
  cursorId,
  memberMutation,
  memberQuery,
  ownerMutation,
  pageOf,
  router,
  scopedQuery,
  toPage,
} from '@service/trpc';
import type { AccountReader } from '@service/database';
import { z } from 'zod';
import {
  changeReportSecret,
  changeSettings,
  findConnection,
  insertConnection,
  listDisconnected,
  makeDefault,
  removeConnection,
  replaceCredential,
  requireRoom,
  setPaused,
} from './connection/change-connections.ts';
import { authorOf, Connection, ConnectionChange, type MailSettings } from './connection/connection.ts';
import { credentialFields, reportSetup } from './mail/credential-fields.ts';
import type { Connections } from './mail/mail-connections.ts';
import { parseReportSecret, verifyMail, type Verified } from './mail/verify-mail.ts';
import { verifyMarketing, type VerifiedTool } from './marketing/verify-marketing.ts';
import {
  ChangeOutput,
  ChangeReportSecretInput,
  ChangeSettingsInput,
  changeToOutput,
  ConnectedOutput,
  ConnectInput,
  ConnectionInput,
  ConnectionOutput,
  connectionToOutput,
  DomainInput,
  DomainOutput,
  ListChangesInput,
  ListConnectionsInput,
  ReplaceCredentialInput,
  SenderOutput,
} from './schemas.ts';
import { createToolProcedures } from './tool-procedures.ts';

const scope = 'connections:read';
const tag = 'Connections';

export interface WaitingContacts {
  people: number;
  oldestAt: Date | null;
}

export interface ConnectionsRouterParts {
  connections: Connections;
  /** The contacts whose changes wait for their marketing tools, by connection. */
  readWaiting: (
    reader: Pick<AccountReader, 'query' | 'accountId'>,
    connectionIds: readonly string[],
  ) => Promise<ReadonlyMap<string, WaitingContacts>>;
}

/** Connections of the workspace. Programs read them. Members pause and check them, owners give and remove credentials. */
export const createConnectionsRouter = ({ connections, readWaiting }: ConnectionsRouterParts) => {
  /** Waiting people are counted for programs and lists only. */
  const toOutput = (connection: Connection, waiting?: WaitingContacts) =>
    connectionToOutput(connection, { senders: connections.senders, waiting });
  const withWaiting = async (
    reader: Pick<AccountReader, 'query' | 'accountId'>,
    found: readonly Connection[],
  ) => {
    const tools = found.filter(({ kind }) => kind === 'marketing').map(({ id }) => id);
    const waiting = await readWaiting(reader, tools);
    return found.map((one) => toOutput(one, waiting.get(one.id)));
  };
  const connectedOutput = (connection: Connection, { account, notes }: Verified | VerifiedTool) => ({
    connection: toOutput(connection),
    account: account ?? null,
    notes,
  });

  return router({
    list: scopedQuery({
      scope,
      rest: 'GET /connections',
      tool: 'list_connections',
      summary: 'List connections',
      description:
        'All connections of the workspace with their state, the oldest first. A workspace has 10 at most.',
      tag,
    })
      .input(ListConnectionsInput)
      .output(dataOf(z.array(ConnectionOutput)))
      .query(async ({ ctx: { reader } }) => {
        const { accountId } = reader;
        const found = await reader.em.find(Connection, { accountId }, { orderBy: { id: 'asc' } });
        return { data: await withWaiting(reader, found) };
      }),

    /** For the bar above every page. */
    listDisconnected: memberQuery()
      .output(dataOf(z.array(ConnectionOutput)))
      .query(async ({ ctx: { reader } }) => ({
        data: await withWaiting(reader, await listDisconnected(reader)),
      })),

    get: scopedQuery({
      scope,
      rest: 'GET /connections/{connectionId}',
      operationId: 'getConnection',
      summary: 'Get a connection',
      tag,
    })
      .input(ConnectionInput)
      .output(dataOf(ConnectionOutput))
      .query(async ({ ctx: { reader }, input }) => {
        const [found] = await withWaiting(reader, [await findConnection(reader, input.connectionId)]);
        return { data: found! };
      }),

    /** The services that can be connected, with the fields of their forms. */
    senders: memberQuery()
      .output(dataOf(z.array(SenderOutput)))
      .query(() => ({
        data: connections.senders.map((sender) => ({
          provider: sender.id,
          name: sender.name,
          fields: credentialFields(sender),
          hasBaseUrl: sender.id !== 'smtp',
          reports: reportSetup(sender),
        })),
      })),

    /** Verifies the credential by a real call, then saves it. No answer contains it. */
    connect: ownerMutation()
      .input(ConnectInput)
      .output(dataOf(ConnectedOutput))
      .mutation(async ({ ctx, input }) => {
        const { database, principal } = ctx;
        await requireRoom({ em: database.fork(), accountId: principal.accountId });
        const { provider, credential, from, replyTo, baseUrl } = input;
        const given = { provider, credential, settings: { from, replyTo, baseUrl } };
        const verified = await verifyMail(connections, principal.accountId, given);
        const connection = await ctx.transaction((tx) =>
          insertConnection(
            tx,
            { name: input.name ?? verified.providerName, verified },
            { seal: connections.seal, author: authorOf(principal) },
          ),
        );
        return { data: connectedOutput(connection, verified) };
      }),

    /** The former credential sends until the new one was verified and saved. */
    replaceCredential: ownerMutation()
      .input(ReplaceCredentialInput)
      .output(dataOf(ConnectedOutput))
      .mutation(async ({ ctx, input }) => {
        const { database, principal } = ctx;
        const { accountId } = principal;
        const former = await findConnection({ em: database.fork(), accountId }, input.connectionId);
        const { provider } = former;
        const { credential, baseUrl } = input;
        const verified =
          former.kind === 'mail'
            ? await verifyMail(connections, accountId, {
                provider,
                credential,
                settings: { ...(former.settings as MailSettings), baseUrl },
              })
            : await verifyMarketing(connections, accountId, {
                provider,
                credential,
                baseUrl,
                // The settings stay.
                sync: 'none',
              });
        const connection = await ctx.transaction(async (tx) => {
          tx.afterCommit(() => connections.forget(accountId, former.id));
          return replaceCredential(
            tx,
            { id: former.id, version: former.credentialVersion, verified },
            { seal: connections.seal, author: authorOf(principal) },
          );
        });
        return { data: connectedOutput(connection, verified) };
      }),

    /** Takes the secret with which the provider signs its reports. The credential stays as it is. */
    changeReportSecret: ownerMutation()
      .input(ChangeReportSecretInput)
      .output(dataOf(ConnectionOutput))
      .mutation(async ({ ctx: { database, principal, transaction }, input: { connectionId, secret } }) => {
        const { provider } = await findConnection(
          { em: database.fork(), accountId: principal.accountId },
          connectionId,
          'mail',
        );
        const change = { id: connectionId, secret: parseReportSecret(connections, provider, secret) };
        const connection = await transaction((tx) =>
          changeReportSecret(tx, change, { seal: connections.sealReportSecret, author: authorOf(principal) }),
        );
        return { data: toOutput(connection) };
      }),

    changeSettings: ownerMutation()
      .input(ChangeSettingsInput)
      .output(dataOf(ConnectionOutput))
      .mutation(async ({ ctx, input: { connectionId, name, ...settings } }) => {
        const { accountId } = ctx.principal;
        const check = await connections.checkFrom(accountId, connectionId, settings.from.address);
        const changed = await ctx.transaction((tx) => {
          tx.afterCommit(() => connections.forget(accountId, connectionId));
          return changeSettings(tx, { id: connectionId, name, settings, check }, authorOf(ctx.principal));
        });
        return { data: toOutput(changed) };
      }),

    ...createToolProcedures({ connections, toOutput, connectedOutput }),

    /** Asks the provider now, and records its answer. */
    check: memberMutation()
      .input(ConnectionInput)
      .output(dataOf(ConnectionOutput))
      .mutation(async ({ ctx: { database, principal }, input }) => {
        const { accountId } = principal;
        const find = () => findConnection({ em: database.fork(), accountId }, input.connectionId);
        const { kind } = await find();
        const { verifyNow } = kind === 'mail' ? connections : connections.marketing;
        await verifyNow(accountId, input.connectionId);
        return { data: toOutput(await find()) };
      }),

    pause: memberMutation()
      .input(ConnectionInput)
      .output(dataOf(ConnectionOutput))
      .mutation(({ ctx, input }) =>
        ctx.transaction(async (tx) => ({
          data: toOutput(
            await setPaused(tx, { id: input.connectionId, paused: true }, authorOf(ctx.principal)),
          ),
        })),
      ),

    resume: memberMutation()
      .input(ConnectionInput)
      .output(dataOf(ConnectionOutput))
      .mutation(({ ctx, input }) =>
        ctx.transaction(async (tx) => ({
          data: toOutput(
            await setPaused(tx, { id: input.connectionId, paused: false }, authorOf(ctx.principal)),
          ),
        })),
      ),

    makeDefault: ownerMutation()
      .input(ConnectionInput)
      .output(dataOf(ConnectionOutput))
      .mutation(({ ctx, input }) =>
        ctx.transaction(async (tx) => ({
          data: toOutput(await makeDefault(tx, input.connectionId, authorOf(ctx.principal))),
        })),
      ),

    /** Removes the credential. Possible while the workspace is suspended, because it removes access. */
    disconnect: ownerMutation({ whileSuspended: true })
      .input(ConnectionInput)
      .output(z.void())
      .mutation(({ ctx, input }) =>
        ctx.transaction((tx) => removeConnection(tx, input.connectionId, authorOf(ctx.principal))),
      ),

    /** The DNS records of the domain that mails come from. */
    domain: memberQuery()
      .input(DomainInput)
      .output(dataOf(DomainOutput))
      .query(async ({ ctx: { reader }, input: { connectionId, isFresh } }) => {
        const { checkedAt, ...report } = await connections.reportDomain(reader.accountId, connectionId, {
          isFresh,
        });
        return { data: { ...report, checkedAt: checkedAt.toISOString() } };
      }),

    /** Changes by people, the latest first. */
    changes: memberQuery()
      .input(ListChangesInput)
      .output(pageOf(ChangeOutput))
      .query(async ({ ctx: { reader }, input: { cursor, limit, kind, connectionId } }) => {
        const { em, accountId } = reader;
        const filters = { kind, connectionId };
        const scopeOfList = { list: 'connection_changes', accountId, filters };
        const before = cursorId(cursor, scopeOfList);
        const rows = await em.find(
          ConnectionChange,
          {
            accountId,
            ...(kind !== undefined && { connectionKind: kind }),
            ...(connectionId !== undefined && { connectionId }),
            ...(before !== undefined && { id: { $lt: before } }),
          },
          { orderBy: { id: 'desc' }, limit: limit + 1 },
        );
        return toPage(rows, { limit, scope: scopeOfList, toItem: changeToOutput });
      }),
  });
};
