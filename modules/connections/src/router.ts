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
  changeSync,
  findConnection,
  insertConnection,
  makeDefault,
  removeConnection,
  replaceCredential,
  requireRoom,
  setPaused,
} from './connection/change-connections.ts';
import {
  authorOf,
  Connection,
  ConnectionChange,
  type MailSettings,
  type MarketingSettings,
} from './connection/connection.ts';
import { credentialFields, reportSetup } from './mail/credential-fields.ts';
import type { Connections } from './mail/mail-connections.ts';
import { parseReportSecret, verifyMail, type Verified } from './mail/verify-mail.ts';
import {
  checkSyncTypes,
  createSyncFields,
  proposeSync,
  verifyMarketing,
  type VerifiedTool,
} from './marketing/verify-marketing.ts';
import { noSync } from './connection/sync-settings.ts';
import {
  CatalogueInput,
  CatalogueOutput,
  ChangeOutput,
  ChangeReportSecretInput,
  ChangeSettingsInput,
  ChangeSyncInput,
  changeToOutput,
  ConnectedOutput,
  ConnectInput,
  ConnectToolInput,
  ConnectionInput,
  ConnectionOutput,
  connectionToOutput,
  DomainInput,
  DomainOutput,
  ListChangesInput,
  ListConnectionsInput,
  ReplaceCredentialInput,
  SenderOutput,
  ToolOutput,
} from './schemas.ts';

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
        const tools = found.filter(({ kind }) => kind === 'marketing').map(({ id }) => id);
        const waiting = await readWaiting(reader, tools);
        return { data: found.map((one) => toOutput(one, waiting.get(one.id))) };
      }),

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
        const connection = await findConnection(reader, input.connectionId);
        const { id, kind } = connection;
        const waiting = kind === 'marketing' ? (await readWaiting(reader, [id])).get(id) : undefined;
        return { data: toOutput(connection, waiting) };
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
                sync: (former.settings as MarketingSettings).sync,
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

    /** The marketing tools that can be connected, with the fields of their forms. */
    tools: memberQuery()
      .output(dataOf(z.array(ToolOutput)))
      .query(() => ({
        data: connections.marketing.providers.map((provider) => ({
          provider: provider.id,
          name: provider.name,
          fields: credentialFields(provider),
          words: {
            field: provider.words.field,
            tag: provider.words.tag ?? null,
            list: provider.words.list ?? null,
          },
          takesEvents: provider.events.exist,
          makesFields: provider.createField !== undefined,
        })),
      })),

    /** Like `connect`, for a marketing tool. `sync: "all"` keeps every registrant in step with the fields that the tool has. */
    connectTool: ownerMutation()
      .input(ConnectToolInput)
      .output(dataOf(ConnectedOutput))
      .mutation(async ({ ctx, input: { provider, name, credential, baseUrl, sync } }) => {
        const { database, principal } = ctx;
        const { accountId } = principal;
        await requireRoom({ em: database.fork(), accountId });
        const given = { provider, credential, baseUrl, sync: typeof sync === 'string' ? noSync : sync };
        const verified = await verifyMarketing(connections, accountId, given);
        const author = authorOf(principal);
        const connected = await ctx.transaction((tx) =>
          insertConnection(
            tx,
            { name: name ?? verified.providerName, verified },
            { seal: connections.seal, author },
          ),
        );
        if (sync !== 'all') return { data: connectedOutput(connected, verified) };
        const { id } = connected;
        // Without its catalogue the tool is connected all the same.
        const catalogue = await connections.marketing
          .readCatalogue(accountId, id, { isFresh: true })
          .catch(() => undefined);
        const tool = connections.marketing.providers.find((one) => one.id === verified.provider)!;
        const syncOf = proposeSync(tool, catalogue);
        const connection = await ctx.transaction((tx) => changeSync(tx, { id, syncOf }, author));
        return { data: connectedOutput(connection, verified) };
      }),

    /** The fields, tags and lists of the account at a marketing tool. */
    catalogue: memberQuery()
      .input(CatalogueInput)
      .output(dataOf(CatalogueOutput))
      .query(async ({ ctx: { reader }, input: { connectionId, isFresh } }) => {
        const { readAt, ...catalogue } = await connections.marketing.readCatalogue(
          reader.accountId,
          connectionId,
          { isFresh },
        );
        return { data: { ...catalogue, readAt: readAt.toISOString() } };
      }),

    /** Changes the values of every registrant that a marketing tool gets. Refuses fields whose type does not fit, if the tool can be asked. */
    changeSync: ownerMutation()
      .input(ChangeSyncInput)
      .output(dataOf(ConnectionOutput))
      .mutation(async ({ ctx, input: { connectionId, name, sync } }) => {
        const { accountId } = ctx.principal;
        await findConnection({ em: ctx.database.fork(), accountId }, connectionId, 'marketing');
        const catalogue = await connections.marketing
          .readCatalogue(accountId, connectionId, { isFresh: false })
          .catch(() => undefined);
        if (catalogue) checkSyncTypes(sync, catalogue);
        const changed = await ctx.transaction((tx) =>
          changeSync(tx, { id: connectionId, name, syncOf: () => sync }, authorOf(ctx.principal)),
        );
        return { data: toOutput(changed) };
      }),

    /** Makes the fields that the tool does not have, and sends values to them from now on. */
    createFields: ownerMutation()
      .input(ConnectionInput)
      .output(dataOf(ConnectionOutput))
      .mutation(async ({ ctx, input: { connectionId: id } }) => {
        const { accountId } = ctx.principal;
        const { settings } = await findConnection({ em: ctx.database.fork(), accountId }, id, 'marketing');
        const { sync } = settings as MarketingSettings;
        const syncOf = await createSyncFields(connections.marketing, { accountId, id, sync });
        const changed = await ctx.transaction((tx) =>
          changeSync(tx, { id, syncOf }, authorOf(ctx.principal)),
        );
        return { data: toOutput(changed) };
      }),

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
      .query(async ({ ctx: { reader }, input: { cursor, limit } }) => {
        const { em, accountId } = reader;
        const scopeOfList = { list: 'connection_changes', accountId };
        const before = cursorId(cursor, scopeOfList);
        const rows = await em.find(
          ConnectionChange,
          { accountId, ...(before !== undefined && { id: { $lt: before } }) },
          { orderBy: { id: 'desc' }, limit: limit + 1 },
        );
        return toPage(rows, { limit, scope: scopeOfList, toItem: changeToOutput });
      }),
  });
};
