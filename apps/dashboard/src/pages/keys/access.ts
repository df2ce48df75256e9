// The access a new key will have, as the create dialog edits it. Pure.
import type { KeyOptions, Scope, Surface } from '../../trpc.ts';

export type PresetId = KeyOptions['presets'][number]['id'] | 'custom';

export interface Access {
  preset: PresetId;
  scopes: readonly Scope[];
  surfaces: readonly Surface[];
}

/** What a preset grants. Custom starts from whatever is chosen now. */
export function choosePreset(access: Access, preset: PresetId, options: KeyOptions): Access {
  const known = options.presets.find((entry) => entry.id === preset);
  return known ? { preset, scopes: known.scopes, surfaces: known.surfaces } : { ...access, preset: 'custom' };
}

/** Editing by hand makes it Custom, even when the result happens to equal a preset. */
export const toggleScope = (access: Access, scope: Scope): Access => ({
  ...access,
  preset: 'custom',
  scopes: toggled(access.scopes, scope),
});

export const toggleSurface = (access: Access, surface: Surface): Access => ({
  ...access,
  preset: 'custom',
  surfaces: toggled(access.surfaces, surface),
});

/** The scopes as rows of the grid, in the order the API lists them: resource, then its read and write. */
export function scopeRows(options: KeyOptions): { resource: string; scopes: KeyOptions['scopes'] }[] {
  const resources = [...new Set(options.scopes.map(({ id }) => resourceOf(id)))];
  return resources.map((resource) => ({
    resource,
    scopes: options.scopes.filter(({ id }) => resourceOf(id) === resource),
  }));
}

const resourceOf = (scope: string): string => scope.slice(0, scope.indexOf(':'));

const toggled = <Entry>(entries: readonly Entry[], entry: Entry): Entry[] =>
  entries.includes(entry) ? entries.filter((other) => other !== entry) : [...entries, entry];
