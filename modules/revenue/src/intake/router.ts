import { AppError, httpStatusByKind } from '@service/errors';
import type { SecretBox } from '@service/secrets';
import { createId, databaseTime } from '@service/database';
import { dataOf, memberQuery, ownerMutation, ownerQuery, pageOf, router } from '@service/trpc';
import { z } from 'zod';
import { revenueErrors } from '../errors.ts';
import type { RevenueProvider } from './provider.ts';
import type { RevenueIntake } from './receive/intake.ts';
import { getRefused, listRefused } from './refused/read-refused.ts';
import { listSources } from './source/list-sources.ts';
import {
  ListRefusedInput,
  OwnSourceInput,
  RefusedEventDetail,
  RefusedEventInput,
  RefusedEventOutput,
  RevenueSourceOutput,
  RotateSourceInput,
  SetSourceSecretInput,
  SourceInput,
  SourceSecretOutput,
  SourceTestOutput,
} from './source/schemas.ts';
import {
  createSourceSecret,
  openSourceSecret,
  removeSource,
  rotateSourceSecret,
  setSourceSecret,
} from './source/sources.ts';

interface SourcesRouterParts {
  revenueIntake: RevenueIntake;
  secretBox: SecretBox;
}

/** The sources of revenue events, for the dashboard. Members see them, owners change them. */
export const createSourcesRouter = ({ revenueIntake, secretBox }: SourcesRouterParts) => {
  const providerOf = (name: string): RevenueProvider => {
    const provider = revenueIntake.providers.find((one) => one.name === name);
    if (!provider) throw revenueErrors.revenue_source_not_found();
    return provider;
  };

  return router({
    list: memberQuery()
      .output(dataOf(z.array(RevenueSourceOutput)))
      .query(async ({ ctx: { reader } }) => ({
        data: await listSources(reader, revenueIntake.providers, revenueIntake.urlOf),
      })),

    createSecret: ownerMutation()
      .input(OwnSourceInput)
      .output(dataOf(SourceSecretOutput))
      .mutation(({ ctx, input }) =>
        ctx.transaction(async (tx) => ({
          data: await createSourceSecret(tx, providerOf(input.provider), secretBox),
        })),
      ),

    rotateSecret: ownerMutation()
      .input(RotateSourceInput)
      .output(dataOf(SourceSecretOutput))
      .mutation(({ ctx, input: { provider, overlapHours } }) =>
        ctx.transaction(async (tx) => ({
          data: await rotateSourceSecret(tx, { provider: providerOf(provider), overlapHours }, secretBox),
        })),
      ),

    /** Only a secret that the service made: a provider shows its own. */
    revealSecret: ownerQuery()
      .input(OwnSourceInput)
      .output(dataOf(SourceSecretOutput))
      .query(async ({ ctx: { reader }, input }) => {
        const provider = providerOf(input.provider);
        if (provider.secret.madeBy !== 'service') throw revenueErrors.revenue_source_not_found();
        const secret = await openSourceSecret(reader, provider.name, secretBox);
        return { data: { secret, secretLast4: secret.slice(-4) } };
      }),

    setSecret: ownerMutation()
      .input(SetSourceSecretInput)
      .output(z.void())
      .mutation(({ ctx, input: { provider, secret } }) =>
        ctx.transaction((tx) => setSourceSecret(tx, { provider: providerOf(provider), secret }, secretBox)),
      ),

    /** Possible while the workspace is suspended, because it removes access. */
    removeSecret: ownerMutation({ whileSuspended: true })
      .input(SourceInput)
      .output(z.void())
      .mutation(({ ctx, input }) => ctx.transaction((tx) => removeSource(tx, input.provider))),

    /**
     * Signs a purchase of 0 with the secret of the source and gives its bytes to the address. The ledger keeps it: its event id begins
     * with `test_`, and it adds nothing to sums of money.
     */
    sendTest: ownerMutation()
      .input(SourceInput)
      .output(dataOf(SourceTestOutput))
      .mutation(async ({ ctx, input }) => {
        const provider = providerOf(input.provider);
        const { accountId } = ctx.principal;
        // Not in a transaction of the call: the event has one of its own, and may need the connection.
        const em = ctx.database.fork();
        const secret = await openSourceSecret({ em, accountId }, provider.name, secretBox);
        const eventId = `test_${createId()}`;
        const signed = provider.createTestEvent({ secret, eventId, now: databaseTime() });
        try {
          const { status, body } = await revenueIntake.receive({
            accountId,
            provider,
            sender: `test of ${accountId}`,
            ...signed,
          });
          const { id = null } = body as { id?: string };
          return { data: { status, eventId, id, code: null } };
        } catch (error) {
          if (!(error instanceof AppError)) throw error;
          return { data: { status: httpStatusByKind[error.kind], eventId, id: null, code: error.code } };
        }
      }),

    /** Signed events that were refused, for a week. They contain data of buyers, so only owners read them. */
    refusedEvents: router({
      list: ownerQuery()
        .input(ListRefusedInput)
        .output(pageOf(RefusedEventOutput))
        .query(({ ctx: { reader }, input }) => listRefused(reader, input)),

      get: ownerQuery()
        .input(RefusedEventInput)
        .output(dataOf(RefusedEventDetail))
        .query(async ({ ctx: { reader }, input }) => ({
          data: await getRefused(reader, input.id, secretBox),
        })),
    }),
  });
};
