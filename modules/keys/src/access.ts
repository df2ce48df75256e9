// The permissions of a key: ten scopes, two surfaces, and presets that name common sets of them.
import type { Scope, Surface } from '@service/trpc';

const resources = {
  webinars: {
    read: 'Read webinars and their settings.',
    write: 'Create, update, duplicate, publish, archive and delete webinars.',
  },
  sessions: {
    read: 'Read sessions and their schedules.',
    write: 'Start, move, end or reset API-controlled sessions.',
  },
  registrations: {
    read: 'Read registrations.',
    write: 'Register attendees one by one or in bulk, and rotate their join links.',
  },
  automations: {
    read: 'Read automation rules, webhook subscriptions, their deliveries and executions.',
    write:
      'Create, update and delete automation rules and webhook subscriptions, rotate their secrets and redeliver.',
  },
  interactions: {
    read: 'Read offers, polls, CTAs and other interactions.',
    write: 'Create, update and delete interactions.',
  },
} as const;

/** Every scope with its description, in the order of the create dialog. */
export const scopeDescriptions: readonly { id: Scope; description: string }[] = Object.entries(
  resources,
).flatMap(([resource, { read, write }]) => [
  { id: `${resource}:read` as Scope, description: read },
  { id: `${resource}:write` as Scope, description: write },
]);

export const allScopes: readonly Scope[] = scopeDescriptions.map((scope) => scope.id);

export const surfaceLabels: readonly { id: Surface; label: string }[] = [
  { id: 'rest', label: 'REST API' },
  { id: 'mcp', label: 'AI Tools (MCP)' },
];

export const allSurfaces: readonly Surface[] = surfaceLabels.map((surface) => surface.id);

export type PresetId = 'full' | 'read';

/** The presets of the create dialog. Any other set is "Custom". */
export const presets: readonly {
  id: PresetId;
  label: string;
  scopes: readonly Scope[];
  surfaces: readonly Surface[];
}[] = [
  { id: 'full', label: 'Full access', scopes: allScopes, surfaces: allSurfaces },
  {
    id: 'read',
    label: 'Read only',
    scopes: allScopes.filter((scope) => scope.endsWith(':read')),
    surfaces: allSurfaces,
  },
];

const scopesShownMax = 3;

/** The text of the Access column: the name of a preset, or the scopes (the number of many scopes) and the surfaces. */
export function accessSummary(scopes: readonly string[], surfaces: readonly string[]): string {
  const preset = presets.find((known) => sameSet(known.scopes, scopes) && sameSet(known.surfaces, surfaces));
  if (preset) return preset.label;
  const scopeText = scopes.length > scopesShownMax ? `${scopes.length} scopes` : scopes.join(', ');
  const labels = surfaceLabels.filter(({ id }) => surfaces.includes(id)).map(({ label }) => label);
  return `${scopeText} · ${labels.join(', ')}`;
}

const sameSet = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((entry) => b.includes(entry));
