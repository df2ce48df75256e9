import { dataOf, memberQuery, ownerMutation } from '@service/trpc';
import { z } from 'zod';
import {
  changeSync,
  findConnection,
  insertConnection,
  lockConnection,
  requireRoom,
} from './connection/change-connections.ts';
import { authorOf, type Connection, type MarketingSettings } from './connection/connection.ts';
import {
  syncFieldNames,
  syncFields,
  syncTagNames,
  syncTags,
  withLeftOut,
  type SyncSettings,
} from './connection/sync-settings.ts';
import { credentialFields } from './mail/credential-fields.ts';
import type { Connections } from './mail/mail-connections.ts';
import { findFieldTypes } from './marketing/field-types.ts';
import {
  checkSync,
  createSyncFields,
  fitsOf,
  verifyMarketing,
  type VerifiedTool,
} from './marketing/verify-marketing.ts';
import {
  CatalogueInput,
  CatalogueOutput,
  ChangeSyncInput,
  ConnectedOutput,
  ConnectionInput,
  ConnectionOutput,
  ConnectToolInput,
  LeaveOutWebinarInput,
  SyncRecord,
  ToolOutput,
} from './schemas.ts';

interface ToolProceduresParts {
  connections: Connections;
  toOutput: (connection: Connection) => z.output<typeof ConnectionOutput>;
  connectedOutput: (connection: Connection, verified: VerifiedTool) => z.output<typeof ConnectedOutput>;
}

/** The procedures that only marketing tools have. */
export const createToolProcedures = ({ connections, toOutput, connectedOutput }: ToolProceduresParts) => ({
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
        takesNewFields: provider.takesNewFields ?? false,
        values: syncFieldNames.map((name) => ({ name, label: syncFields[name].label })),
        tags:
          provider.words.tag === undefined
            ? []
            : syncTagNames.map((name) => ({ name, text: syncTags[name] })),
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
      const verified = await verifyMarketing(connections, accountId, {
        provider,
        credential,
        baseUrl,
        sync,
      });
      const connection = await ctx.transaction((tx) =>
        insertConnection(
          tx,
          { name: name ?? verified.providerName, verified },
          { seal: connections.seal, author: authorOf(principal) },
        ),
      );
      return { data: connectedOutput(connection, verified) };
    }),

  /** The fields, tags and lists of the account at a marketing tool. */
  catalogue: memberQuery()
    .input(CatalogueInput)
    .output(dataOf(CatalogueOutput))
    .query(async ({ ctx: { reader }, input: { connectionId, isFresh } }) => {
      const { readAt, fields, ...catalogue } = await connections.marketing.readCatalogue(
        reader.accountId,
        connectionId,
        { isFresh },
      );
      const fitting = fields.map((field) => ({ ...field, takes: fitsOf(field) }));
      return { data: { ...catalogue, fields: fitting, readAt: readAt.toISOString() } };
    }),

  /**
   * Changes the given settings of what a marketing tool gets of every registrant. Refuses fields whose type does not fit. `If-Match` has the
   * version of a `SyncRecord`: the state of a connection changes without an edit.
   */
  changeSync: ownerMutation()
    .input(ChangeSyncInput)
    .output(dataOf(ConnectionOutput))
    .mutation(async ({ ctx, input: { connectionId, name, sync } }) => {
      const { accountId } = ctx.principal;
      const { database } = ctx;
      const { provider } = await findConnection(
        { em: database.fork(), accountId },
        connectionId,
        'marketing',
      );
      // A tool that cannot be asked has its types of the last time.
      await connections.marketing
        .readCatalogue(accountId, connectionId, { isFresh: false })
        .catch(() => undefined);
      const given = sync as Partial<SyncSettings>;
      const keys = Object.values(given.fields ?? {}).map(({ key }) => key);
      checkSync(
        connections.marketing.providers.find(({ id }) => id === provider),
        given,
        await findFieldTypes({ query: database.query, accountId }, connectionId, keys),
      );
      const syncOf = (saved: SyncSettings) => ({ ...saved, ...given });
      return ctx.edit({
        record: SyncRecord,
        lock: async (tx) => {
          const { settings, ...record } = toOutput(await lockConnection(tx, connectionId, 'marketing'));
          return { ...record, sync: settings.sync };
        },
        change: async (tx) => ({
          data: toOutput(await changeSync(tx, { id: connectionId, name, syncOf }, authorOf(ctx.principal))),
        }),
      });
    }),

  /** Keeps the registrants of a webinar in step no more, or again. */
  leaveOutWebinar: ownerMutation()
    .input(LeaveOutWebinarInput)
    .output(dataOf(ConnectionOutput))
    .mutation(async ({ ctx, input: { connectionId: id, ...which } }) => {
      const syncOf = (sync: SyncSettings) => withLeftOut(sync, which);
      const changed = await ctx.transaction((tx) => changeSync(tx, { id, syncOf }, authorOf(ctx.principal)));
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
      const changed = await ctx.transaction((tx) => changeSync(tx, { id, syncOf }, authorOf(ctx.principal)));
      return { data: toOutput(changed) };
    }),
});
