// The access of a key in words.
import { allSurfaces, presets, resourceOf, surfaces, type Preset } from '@service/catalogue';

interface Grants {
  scopes: readonly string[];
  surfaces: readonly string[];
}

/** The stored access of a key. `preset` is null when its scopes and surfaces were chosen one by one. */
export interface KeyAccess extends Grants {
  preset: Preset | null;
}

/**
 * The text of the Access column. A key with a preset has the label of the preset and names what a new key of it would also get: a
 * resource when this key has none of its scopes, else the scopes, then the surfaces.
 */
export function accessLabel(
  { preset, ...key }: KeyAccess,
  granted: Readonly<Record<Preset, Grants & { label: string }>> = presets,
): string {
  if (preset === null) return customLabel(key);
  const { label, ...full } = granted[preset];
  const lacking = [
    ...lackingScopes(key.scopes, full.scopes),
    ...surfaceLabels(full.surfaces.filter((surface) => !key.surfaces.includes(surface))),
  ];
  return lacking.length === 0 ? label : `${label}, without ${joinWords(lacking)}`;
}

function lackingScopes(owned: readonly string[], full: readonly string[]): string[] {
  const partly = new Set(full.filter((scope) => owned.includes(scope)).map(resourceOf));
  const lacking = full.filter((scope) => !owned.includes(scope));
  const names = lacking.map((scope) => (partly.has(resourceOf(scope)) ? scope : resourceOf(scope)));
  return [...new Set(names)];
}

const scopesShownMax = 3;

function customLabel({ scopes, surfaces: owned }: Grants): string {
  const scopeText = scopes.length > scopesShownMax ? `${scopes.length} scopes` : scopes.join(', ');
  return `${scopeText} · ${surfaceLabels(owned).join(', ')}`;
}

const surfaceLabels = (ids: readonly string[]): string[] =>
  allSurfaces.filter((id) => ids.includes(id)).map((id) => surfaces[id].label);

/** "a", "a and b", "a, b and c" */
const joinWords = (words: readonly string[]): string =>
  [words.slice(0, -1).join(', '), ...words.slice(-1)].filter(Boolean).join(' and ');
