import type { Scope, Surface } from '@service/catalogue';

interface NewKey {
  key: string;
  scopes: readonly Scope[];
  surfaces: readonly Surface[];
}

/** A curl command with this key. Null for a key without the REST surface. */
export function firstCall({ key, scopes, surfaces }: NewKey, origin: string): string | null {
  if (!surfaces.includes('rest')) return null;
  const authorization = `-H 'Authorization: Bearer ${key}'`;
  if (scopes.includes('webinars:read')) return `curl ${origin}/api/v1/webinars ${authorization}`;
  const readable = ['registrations', 'sessions'].find((resource) =>
    scopes.some((scope) => scope === `${resource}:read`),
  );
  if (readable) return `curl ${origin}/api/v1/webinars/WEBINAR_ID/${readable} ${authorization}`;
  if (scopes.includes('automations:read'))
    return `curl ${origin}/api/v1/webinars/WEBINAR_ID/webhooks ${authorization}`;
  if (!scopes.includes('registrations:write')) return `curl ${origin}/api/v1/ ${authorization}`;
  const body = '{"name":"Ada Lindqvist","email":"ada@example.com","sessionTime":"SESSION_TIME"}';
  return `curl ${origin}/api/v1/webinars/WEBINAR_ID/registrations ${authorization} -H 'Content-Type: application/json' -d '${body}'`;
}
