// The access of a new key while the create dialog edits it. Pure functions.
import { allScopes, presets, resourceOf, type Preset, type Scope, type Surface } from '@service/catalogue';

export interface Access {
  /** Null is Custom. */
  preset: Preset | null;
  scopes: readonly Scope[];
  surfaces: readonly Surface[];
}

/** The scopes of a preset that are offered: a connector may ask for fewer than all. */
export const presetAccess = (preset: Preset, offered: readonly Scope[] = allScopes): Access => ({
  preset,
  scopes: presets[preset].scopes.filter((scope) => offered.includes(scope)),
  surfaces: presets[preset].surfaces,
});

/** Custom starts with the current selection. */
export const choosePreset = (access: Access, preset: Preset | null, offered?: readonly Scope[]): Access =>
  preset === null ? { ...access, preset } : presetAccess(preset, offered);

/** An edit makes it Custom, even when the result equals a preset. */
export const toggleScope = (access: Access, scope: Scope): Access => ({
  ...access,
  preset: null,
  scopes: toggled(access.scopes, scope),
});

export const toggleSurface = (access: Access, surface: Surface): Access => ({
  ...access,
  preset: null,
  surfaces: toggled(access.surfaces, surface),
});

const actions = ['read', 'write'] as const;

interface ScopeRow<Id extends string> {
  resource: string;
  /** Undefined where the resource has no such scope. */
  cells: { action: (typeof actions)[number]; scope: Id | undefined }[];
}

/** The scopes as rows of the grid, in the order of the documents: a resource with its read and write scope. */
export function scopeRows<Id extends string>(ids: readonly Id[]): ScopeRow<Id>[] {
  return [...new Set(ids.map(resourceOf))].map((resource) => ({
    resource,
    cells: actions.map((action) => ({
      action,
      scope: ids.find((id) => id === `${resource}:${action}`),
    })),
  }));
}

const toggled = <Entry>(entries: readonly Entry[], entry: Entry): Entry[] =>
  entries.includes(entry) ? entries.filter((other) => other !== entry) : [...entries, entry];
