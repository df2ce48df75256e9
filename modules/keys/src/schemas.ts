import { id, instant, KeyCreatorOutput, text } from '@service/trpc';
import type { Scope, Surface } from '@service/trpc';
import { z } from 'zod';
import { allScopes, allSurfaces } from './access.ts';

const scope = z.enum(allScopes as [Scope, ...Scope[]]);
const surface = z.enum(allSurfaces as [Surface, ...Surface[]]);

export const CreateKeyInput = z.strictObject({
  label: text(100),
  scopes: z
    .array(scope)
    .min(1, 'Choose at least one scope.')
    .transform((given) => allScopes.filter((known) => given.includes(known))),
  surfaces: z
    .array(surface)
    .min(1, 'Choose at least one surface.')
    .transform((given) => allSurfaces.filter((known) => given.includes(known))),
});

export const RevokeKeyInput = z.strictObject({ keyId: id('API key') });

export const KeyOutput = z.object({
  id: z.uuid(),
  label: z.string(),
  maskedKey: z.string(),
  access: z.string(),
  scopes: z.array(scope),
  surfaces: z.array(surface),
  createdAt: instant(),
  createdBy: KeyCreatorOutput,
  lastUsedAt: instant().nullable(),
  requests: z.number().int(),
});

export const CreatedKeyOutput = KeyOutput.extend({
  key: z.string().describe('The whole key. It is shown only once.'),
});

export const OptionsOutput = z.object({
  scopes: z.array(z.object({ id: scope, description: z.string() })),
  surfaces: z.array(z.object({ id: surface, label: z.string() })),
  presets: z.array(
    z.object({
      id: z.enum(['full', 'read']),
      label: z.string(),
      scopes: z.array(scope),
      surfaces: z.array(surface),
    }),
  ),
});
