import { allPresets, allScopes, allSurfaces } from '@service/catalogue';
import {
  accountOption,
  readId,
  type AccountCommandParts,
  type Command,
  type CommandLineValues,
} from '@service/module';
import { parseInput } from '@service/trpc';
import { createApiKey, findKeyOwner, revokeApiKey } from './api-keys.ts';
import { keyErrors } from './errors.ts';
import { CreateKeyInput } from './schemas.ts';

/** Commands of operators. */
export const keyCommands: Record<string, Command<AccountCommandParts>> = {
  'create-key': {
    summary: `Creates an API key with a preset or scopes (${allScopes.join(', ')}). Prints {id, key, ...}; the key is shown only once.`,
    options: {
      account: accountOption,
      label: { type: 'text', hint: 'LABEL', required: true },
      preset: { type: 'text', hint: allPresets.join('|') },
      scopes: { type: 'text', hint: 'a,b' },
      surfaces: { type: 'text', hint: allSurfaces.join(',') },
      'expires-at': { type: 'text', hint: 'ISO_TIME' },
    },
    async run({ requireAccount, write }, values) {
      const accountId = await requireAccount(values);
      const input = parseInput(CreateKeyInput, {
        label: values['label'],
        expiresAt: values['expires-at'],
        ...readGrants(values),
      });
      const { key, apiKey } = await write(accountId, (tx) =>
        createApiKey(tx, { ...input, createdBy: { kind: 'operator' } }),
      );
      const { id, label, preset, scopes, surfaces, expiresAt } = apiKey;
      return { id, key, label, preset, scopes, surfaces, expiresAt };
    },
  },

  'revoke-key': {
    summary: 'Revokes an API key. Prints {id}.',
    options: { id: { type: 'text', hint: 'KEY_ID', required: true } },
    async run({ database, write }, values) {
      const id = readId(values, 'id');
      const accountId = await findKeyOwner(database.fork(), id);
      if (!accountId) throw keyErrors.api_key_not_found();
      await write(accountId, (tx) => revokeApiKey(tx, id));
      return { id };
    },
  },
};

/** A preset or scopes, on the given surfaces or on all. */
function readGrants({ preset, scopes, surfaces }: CommandLineValues): object {
  if (Boolean(preset) === Boolean(scopes)) throw new Error('Give either --preset or --scopes.');
  return {
    preset: preset || undefined,
    scopes: splitList(scopes),
    surfaces: splitList(surfaces) ?? [...allSurfaces],
  };
}

const splitList = (value: CommandLineValues[string]): string[] | undefined =>
  typeof value === 'string'
    ? value
        .split(',')
        .map((entry) => entry.trim())
        .filter(Boolean)
    : undefined;
