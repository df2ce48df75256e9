// The access of a new key while the create dialog edits it. Pure functions.
import type { KeyOptions, Scope, Surface } from '../../trpc.ts';

export type PresetId = KeyOptions['presets'][number]['id'] | 'custom';

export interface Access {
  preset: PresetId;
  scopes: readonly Scope[];
  surfaces: readonly Surface[];
}

/** The access of a preset. Custom starts with the current selection. */
export function choosePreset(access: Access, preset: PresetId, options: KeyOptions): Access {
  const known = options.presets.find((entry) => entry.id === preset);
  return known ? { preset, scopes: known.scopes, surfaces: known.surfaces } : { ...access, preset: 'custom' };
}

/** An edit makes it Custom, even when the result equals a preset. */
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

/** The scopes as rows of the grid, in the order of the API: a resource with its read and write scope. */
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
