import { createId, databaseTime } from '@service/database';
import type { SecretBox } from '@service/secrets';
import { dataOf, memberQuery, ownerMutation, ownerQuery, pageOf, router } from '@service/trpc';
import { z } from 'zod';
import { revenueErrors } from '../../errors.ts';
import type { RevenueProvider } from '../provider.ts';
import type { RevenueIntake } from '../receive/intake.ts';
import { getRefused, listRefused } from '../refused-events.ts';
import { listSources } from './list-sources.ts';
import {
  ListRefusedInput,
  OwnSourceInput,
  RefusedEventDetail,
  RefusedEventInput,
  RefusedEventOutput,
  RevenueSourceOutput,
  RotateSourceInput,
  SetSourceSecretInput,
  SignedTestOutput,
  SourceInput,
  SourceSecretOutput,
} from './schemas.ts';
import {
  createSourceSecret,
  openSourceSecret,
  removeSource,
  rotateSourceSecret,
  setSourceSecret,
} from './sources.ts';

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

    /** The answers of this call and of `rotateSecret` are the only ones with the secret. */
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
     * Signs a purchase of 0 with the secret of the source. The page posts it to the address, so that it passes everything that an event
     * of the provider passes. The ledger keeps it: its event id begins with `test_`, and it adds nothing to sums of money.
     */
    signTest: ownerQuery()
      .input(SourceInput)
      .output(dataOf(SignedTestOutput))
      .query(async ({ ctx: { reader }, input }) => {
        const provider = providerOf(input.provider);
        const secret = await openSourceSecret(reader, provider.name, secretBox);
        const eventId = `test_${createId()}`;
        const { headers, body } = provider.createTestEvent({ secret, eventId, now: databaseTime() });
        const { pathname: path } = new URL(revenueIntake.urlOf(reader.accountId, provider.name));
        return { data: { eventId, path, headers, body: body.toString('utf8') } };
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
