import type { AccountWriter } from '@service/database';
import { accountOption } from '@service/module';
import type { AccountCommandParts, Command, CommandLineValues } from '@service/module';
import type { SecretBox } from '@service/secrets';
import { revenueUrl, type RevenueProvider } from '../provider.ts';
import { revenueProviders } from '../providers/providers.ts';
import { createSourceSecret, RevenueSource, rotateSourceSecret, setSourceSecret } from './sources.ts';

export interface RevenueCommandParts extends AccountCommandParts {
  /** The public URL of the service, without a trailing slash. */
  baseUrl: string;
  /** Throws an error of one line when the encryption key is not known. */
  openSecretBox: () => Promise<SecretBox>;
}

/** For operators. A rotated secret is invalid at once. */
export const revenueSourceCommand: Command<RevenueCommandParts> = {
  summary:
    'Prints the address of a revenue source, and makes or stores its secret. Prints {url, secret?}; the secret when it is ours and new.',
  options: {
    account: accountOption,
    provider: { type: 'text', hint: revenueProviders.map(({ name }) => name).join('|'), required: true },
    secret: { type: 'text', hint: 'SECRET' },
    rotate: { type: 'flag' },
  },
  async run({ requireAccount, write, baseUrl, openSecretBox }, values) {
    const accountId = await requireAccount(values);
    const provider = revenueProviders.find(({ name }) => name === values['provider']);
    if (!provider)
      throw new Error(`--provider must be one of ${revenueProviders.map(({ name }) => name).join(', ')}.`);
    const secretBox = await openSecretBox();
    const secret = await write(accountId, (tx) => changeSecret(tx, { provider, values }, secretBox));
    return { url: revenueUrl(baseUrl, accountId, provider.name), ...(secret && { secret }) };
  },
};

/** The new secret. Undefined when none was made. */
async function changeSecret(
  tx: AccountWriter,
  { provider, values }: { provider: RevenueProvider; values: CommandLineValues },
  secretBox: SecretBox,
): Promise<string | undefined> {
  const { secret: given, rotate } = values;
  if (typeof given === 'string') {
    if (rotate) throw new Error('Give either --secret or --rotate.');
    await setSourceSecret(tx, { provider, secret: given }, secretBox);
    return undefined;
  }
  if (rotate) return (await rotateSourceSecret(tx, { provider, overlapHours: 0 }, secretBox)).secret;
  const known = await tx.em.findOne(RevenueSource, { accountId: tx.accountId, provider: provider.name });
  if (known) return undefined;
  if (provider.secret.madeBy === 'provider') throw new Error(`--secret is required. ${provider.secret.hint}`);
  return (await createSourceSecret(tx, provider, secretBox)).secret;
}
