// What a key may do: the ten scopes, the two surfaces, and the presets that name common sets of them.
import type { Scope, Surface } from '@service/trpc';

const resources = {
  webinars: {
    read: 'Read webinar records and setup data.',
    write: 'Create, update, duplicate, publish, archive and delete webinars.',
  },
  sessions: {
    read: 'Read session schedules and records.',
    write: 'Reset or force the progress of API-controlled sessions.',
  },
  registrations: {
    read: 'Read registration records.',
    write: 'Register attendees one by one or in bulk, and rotate their access tokens.',
  },
  automations: {
    read: 'Read automation rules, webhook subscriptions, their deliveries and the execution history.',
    write: 'Create, update, delete, rotate and redeliver automations and webhook subscriptions.',
  },
  interactions: {
    read: 'Read offers, polls, CTAs and other interactions.',
    write: 'Create, update and delete interactions.',
  },
} as const;

/** Every scope with what it allows, in the order people read them. */
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

/** The presets of the create dialog; everything else is "Custom". */
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

/** The Access column: a preset's name, or the scopes (their number when many) and the surfaces. */
export function accessSummary(scopes: readonly string[], surfaces: readonly string[]): string {
  const preset = presets.find((known) => sameSet(known.scopes, scopes) && sameSet(known.surfaces, surfaces));
  if (preset) return preset.label;
  const what = scopes.length > scopesShownMax ? `${scopes.length} scopes` : scopes.join(', ');
  const where = surfaceLabels
    .filter((surface) => surfaces.includes(surface.id))
    .map((surface) => surface.label);
  return `${what} · ${where.join(', ')}`;
}

const sameSet = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((entry) => b.includes(entry));
