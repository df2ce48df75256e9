import type { AccountWriter } from '@service/database';
import { commonErrors } from '@service/errors';
import {
  dataOf,
  memberMutation,
  memberQuery,
  ownerMutation,
  router,
  type KeyCreator,
  type Principal,
} from '@service/trpc';
import { z } from 'zod';
import type { RateLimit } from './admit.ts';
import { createApiKey, revokeApiKey } from './api-keys.ts';
import { ApiKey, columnsToCreator } from './entities.ts';
import { accessLabel } from './key-access.ts';
import { CreateKeyInput, CreatedKeyOutput, KeyOutput, RevokeKeyInput } from './schemas.ts';

export interface KeysRouterParts {
  rateLimit: RateLimit;
  accounts: { isMember: (tx: AccountWriter, userId: string) => Promise<boolean> };
}

/** Keys are managed in the dashboard only: a key can neither create nor revoke keys. */
export const createKeysRouter = ({ rateLimit, accounts: { isMember } }: KeysRouterParts) =>
  router({
    /** Requests of an account, over all its keys. The dashboard shows it under Settings > Installation. */
    limits: memberQuery()
      .output(dataOf(z.object({ requests: z.int(), windowSeconds: z.int() })))
      .query(() => ({ data: rateLimit })),

    list: memberQuery()
      .output(z.object({ data: z.array(KeyOutput) }))
      .query(async ({ ctx: { reader } }) => {
        const keys = await reader.em.find(
          ApiKey,
          { accountId: reader.accountId },
          { orderBy: { id: 'desc' } },
        );
        return { data: keys.map(apiKeyToOutput) };
      }),

    create: memberMutation()
      .input(CreateKeyInput)
      .output(dataOf(CreatedKeyOutput))
      .mutation(async ({ ctx, input }) => {
        const createdBy = creatorOf(ctx.principal);
        const { apiKey, key } = await ctx.transaction(async (tx) => {
          const created = await createApiKey(tx, { ...input, createdBy });
          // Under the lock of the keys: the member may have been removed since the call was admitted.
          if (!(await isMember(tx, createdBy.id))) throw commonErrors.sign_in_required();
          return created;
        });
        return { data: { ...apiKeyToOutput(apiKey), key } };
      }),

    revoke: ownerMutation({ whileSuspended: true })
      .input(RevokeKeyInput)
      .output(dataOf(z.object({ id: z.uuid() })))
      .mutation(async ({ ctx, input }) => {
        ctx.setSubject(await ctx.transaction((tx) => revokeApiKey(tx, input.keyId)));
        return { data: { id: input.keyId } };
      }),
  });

function creatorOf(principal: Principal): Extract<KeyCreator, { kind: 'member' }> {
  if (principal.kind !== 'member') throw commonErrors.sign_in_required();
  return { kind: 'member', id: principal.userId, name: principal.name };
}

function apiKeyToOutput(key: ApiKey): z.input<typeof KeyOutput> {
  const preset = key.preset ?? null;
  return {
    id: key.id,
    label: key.label,
    maskedKey: `${key.prefix}...${key.hint}`,
    preset,
    access: accessLabel({ preset, scopes: key.scopes, surfaces: key.surfaces }),
    scopes: key.scopes as z.input<typeof KeyOutput>['scopes'],
    surfaces: key.surfaces as z.input<typeof KeyOutput>['surfaces'],
    createdAt: key.createdAt.toISOString(),
    createdBy: columnsToCreator({
      createdByKind: key.createdByKind,
      createdById: key.createdById ?? null,
      createdByName: key.createdByName ?? null,
    }),
    lastUsedAt: key.lastUsedAt?.toISOString() ?? null,
    requests: key.requests,
    expiresAt: key.expiresAt?.toISOString() ?? null,
  };
}
