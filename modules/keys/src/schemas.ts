import { allPresets, allScopes, allSurfaces, presets, type Preset, type Scope } from '@service/catalogue';
import { id, instant, KeyCreatorOutput, moment, text } from '@service/trpc';
import { z } from 'zod';

const presetId = z.enum(allPresets);
const scope = z.enum(allScopes);
const surface = z.enum(allSurfaces);

/**
 * A preset, or scopes and surfaces. With a preset, surfaces can be given to grant fewer of them. Scopes can be given too, and must
 * be those of the preset: then a dialog that shows a former set gets an error instead of a key with other scopes.
 */
export const CreateKeyInput = z
  .strictObject({
    label: text(100),
    preset: presetId.nullish(),
    scopes: z.array(scope).min(1, 'Choose at least one scope.').optional(),
    surfaces: z.array(surface).min(1, 'Choose at least one surface.').optional(),
    expiresAt: moment.nullish(),
  })
  .refine(({ preset, scopes }) => preset || scopes, { error: 'Choose at least one scope.', path: ['scopes'] })
  .refine(({ preset, surfaces }) => preset || surfaces, {
    error: 'Choose at least one surface.',
    path: ['surfaces'],
  })
  .refine(({ preset, scopes }) => !preset || !scopes || areScopesOf(preset, scopes), {
    error: 'These are not the scopes of the preset. Leave out the scopes or the preset.',
    path: ['scopes'],
  })
  .transform(({ label, preset = null, scopes, surfaces, expiresAt }) => {
    const granted = preset === null ? { scopes: [], surfaces: [] } : presets[preset];
    return {
      label,
      preset,
      scopes: inOrder(allScopes, scopes ?? granted.scopes),
      surfaces: inOrder(allSurfaces, surfaces ?? granted.surfaces),
      expiresAt: expiresAt ? new Date(expiresAt) : null,
    };
  });

const areScopesOf = (preset: Preset, scopes: readonly Scope[]): boolean =>
  inOrder(allScopes, scopes).join() === presets[preset].scopes.join();

/** Each given entry once, in the order of all. */
const inOrder = <Entry>(all: readonly Entry[], given: readonly Entry[]): Entry[] =>
  all.filter((entry) => given.includes(entry));

export const RevokeKeyInput = z.strictObject({ keyId: id('API key') });

export const KeyOutput = z.object({
  id: z.uuid(),
  label: z.string(),
  maskedKey: z.string(),
  preset: presetId.nullable(),
  /** The preset with what the key lacks of it, or the scopes and surfaces. */
  access: z.string(),
  scopes: z.array(scope),
  surfaces: z.array(surface),
  createdAt: instant(),
  createdBy: KeyCreatorOutput,
  lastUsedAt: instant().nullable(),
  requests: z.number().int(),
  /** The key is refused from then on. Null: it has no end. */
  expiresAt: instant().nullable(),
});

export const CreatedKeyOutput = KeyOutput.extend({
  key: z.string().describe('The whole key. It is shown only once.'),
});
