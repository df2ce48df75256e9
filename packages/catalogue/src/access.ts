// The permissions of an API key: scopes, surfaces, and presets that name common sets of them.

/** The scopes of API keys with their descriptions, in the order of documents and dialogs. `write` does not include `read`. */
export const scopes = {
  'webinars:read': 'Read webinars and their settings.',
  'webinars:write': 'Create, update, duplicate, publish, archive and delete webinars.',
  'sessions:read': 'Read sessions and their schedules.',
  'sessions:write': 'Start, move, end or reset API-controlled sessions.',
  'registrations:read': 'Read registrations.',
  'registrations:write': 'Register attendees one by one or in bulk, and rotate their join links.',
  'automations:read':
    'Read automation rules, webhook subscriptions, their deliveries and executions. With registrations:read also the data of attendees in ' +
    'them.',
  'automations:write':
    'Create, update and delete automation rules and webhook subscriptions, rotate their secrets and redeliver. It can send data of ' +
    'attendees to any address, with revenue:read their purchases too, and e-mails to attendees.',
  'interactions:read': 'Read offers, polls, CTAs and other interactions.',
  'interactions:write': 'Create, update and delete interactions.',
  'activity:read': 'Read the API activity: the calls of all keys and connections, with their errors.',
  'revenue:read':
    'Read purchases, refunds and chargebacks, their attribution, and the revenue of registrations and of deliveries.',
  'revenue:write': 'Record purchases, refunds and chargebacks.',
  'connections:read':
    'Read the connections to e-mail providers and marketing tools, their state and what was sent, never their credentials.',
  'connections:write': 'Send all registrants to a marketing tool again, and cancel that.',
} satisfies Readonly<Record<`${string}:${'read' | 'write'}`, string>>;

/** A permission of an API key, such as `webinars:read`. */
export type Scope = keyof typeof scopes;

/** Warnings about scopes, for the person who grants them. Dialogs show them while the scope is chosen. */
export const scopeNotices: Readonly<Partial<Record<Scope, string>>> = {
  'automations:write':
    'automations:write can send data of attendees to any address, and e-mails to attendees.',
};

export const allScopes = Object.keys(scopes) as readonly Scope[];

/** `webinars` for `webinars:read`. */
export const resourceOf = (scope: string): string => scope.slice(0, scope.indexOf(':'));

interface SurfaceTexts {
  label: string;
  /** For narrow columns. */
  tag: string;
  description: string;
}

/** The ways in which calls of API keys come in. */
export const surfaces = {
  rest: { label: 'REST API', tag: 'REST', description: 'Calls to /api/v1' },
  mcp: { label: 'AI Tools (MCP)', tag: 'MCP', description: 'AI tools that use MCP' },
} satisfies Readonly<Record<string, SurfaceTexts>>;

/** The way a call of an API key comes in. Each key is valid for some surfaces. */
export type Surface = keyof typeof surfaces;

export const allSurfaces = Object.keys(surfaces) as readonly Surface[];

interface PresetDefinition {
  label: string;
  description: string;
  /** The description without the surfaces. */
  scopesDescription: string;
  scopes: readonly Scope[];
  surfaces: readonly Surface[];
}

const overAllSurfaces = `over ${allSurfaces.map((id) => surfaces[id].tag).join(' and ')}`;

/** A new key gets the present scopes of its preset. A key that exists never gains one. */
export const presets = {
  full: {
    label: 'Full access',
    description: `Read and write everything, ${overAllSurfaces}.`,
    scopesDescription: 'Read and write everything.',
    scopes: allScopes,
    surfaces: allSurfaces,
  },
  read: {
    label: 'Read only',
    description: `Read everything, ${overAllSurfaces}.`,
    scopesDescription: 'Read everything, change nothing.',
    scopes: allScopes.filter((scope) => scope.endsWith(':read')),
    surfaces: allSurfaces,
  },
} satisfies Readonly<Record<string, PresetDefinition>>;

/** A named set of scopes and surfaces. Stored in `keys.api_key`, so a new one needs a migration of the check. */
export type Preset = keyof typeof presets;

export const allPresets = Object.keys(presets) as readonly Preset[];
