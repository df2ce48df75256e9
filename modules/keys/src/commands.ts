import {
  accountOption,
  readId,
  type AccountCommandParts,
  type Command,
  type CommandLineValues,
} from '@service/module';
import { parseInput } from '@service/trpc';
import { presets } from './access.ts';
import { createApiKey } from './create.ts';
import { keyErrors } from './errors.ts';
import { findKeyOwner, revokeApiKey } from './revoke.ts';
import { CreateKeyInput } from './schemas.ts';

/** Commands of operators. */
export const keyCommands: Record<string, Command<AccountCommandParts>> = {
  'create-key': {
    summary: 'Creates an API key with a preset or scopes. Prints {id, key, ...}; the key is shown only once.',
    options: {
      account: accountOption,
      label: { type: 'text', hint: 'LABEL', required: true },
      preset: { type: 'text', hint: 'full|read' },
      scopes: { type: 'text', hint: 'a,b' },
      surfaces: { type: 'text', hint: 'rest,mcp' },
    },
    async run({ requireAccount, write }, values) {
      const accountId = await requireAccount(values);
      const input = parseInput(CreateKeyInput, { label: values['label'], ...readGrants(values) });
      const { key, apiKey } = await write(accountId, (tx) =>
        createApiKey(tx, { ...input, createdBy: { kind: 'operator' } }),
      );
      return { id: apiKey.id, key, label: apiKey.label, scopes: apiKey.scopes, surfaces: apiKey.surfaces };
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

/** The scopes and surfaces of a preset, or the given ones. Both surfaces by default. */
function readGrants(values: CommandLineValues): { scopes: unknown; surfaces: unknown } {
  const { preset: id, scopes, surfaces } = values;
  if (Boolean(id) === Boolean(scopes)) throw new Error('Give either --preset or --scopes.');
  const preset = presets.find((known) => known.id === (id ?? 'full'));
  if (!preset) throw new Error(`--preset must be one of ${presets.map((known) => known.id).join(', ')}.`);
  return {
    scopes: splitList(scopes) ?? preset.scopes,
    surfaces: splitList(surfaces) ?? preset.surfaces,
  };
}

const splitList = (value: CommandLineValues[string]): string[] | undefined =>
  typeof value === 'string'
    ? value
        .split(',')
        .map((entry) => entry.trim())
        .filter(Boolean)
    : undefined;
