// The session cookie of better-auth is `token.signature`, URL-encoded. The signature is base64(HMAC-SHA256(secret, token)). It is
// read here and not by better-auth, so that the admission of a member is one statement.
import { createHmac, createSecretKey, timingSafeEqual } from 'node:crypto';

export type ReadSessionToken = (cookieHeader: string | null | undefined) => string | undefined;

/** The session cookies of better-auth. */
export interface SessionCookies {
  sessionToken: SessionCookie;
  /** With this cookie the session ends with the browser and is not prolonged. */
  dontRememberToken: SessionCookie;
}

interface SessionCookie {
  name: string;
  attributes: { path?: string; secure?: boolean; httpOnly?: boolean; sameSite?: string };
}

/** Returns the session token of a Cookie header if its signature is valid. */
export function createSessionCookieReader(cookieName: string, secret: string): ReadSessionToken {
  const key = createSecretKey(Buffer.from(secret));
  return (cookieHeader) => {
    const value = cookieOf(cookieHeader ?? '', cookieName);
    const dot = value?.lastIndexOf('.') ?? -1;
    if (value === undefined || dot < 1) return undefined;
    const token = value.slice(0, dot);
    const given = Buffer.from(value.slice(dot + 1), 'base64');
    const expected = createHmac('sha256', key).update(token).digest();
    return given.length === expected.length && timingSafeEqual(given, expected) ? token : undefined;
  };
}

// Of cookies with one name the first is used, as in better-auth (better-call, cookies.ts).
export function cookieOf(header: string, name: string): string | undefined {
  for (const pair of header.split(';')) {
    const equals = pair.indexOf('=');
    if (pair.slice(0, equals).trim() !== name) continue;
    try {
      return decodeURIComponent(pair.slice(equals + 1).trim());
    } catch {
      return undefined; // Not URL-encoded, so not a cookie of this service.
    }
  }
  return undefined;
}

/** The value of a `Set-Cookie` header. 0 seconds remove the cookie. */
export function toSetCookie(
  { name, attributes }: SessionCookie,
  value: string,
  maxAgeSeconds: number,
): string {
  const { path = '/', secure, httpOnly, sameSite } = attributes;
  return [
    `${name}=${encodeURIComponent(value)}`,
    `Max-Age=${maxAgeSeconds}`,
    `Path=${path}`,
    ...(httpOnly ? ['HttpOnly'] : []),
    ...(secure ? ['Secure'] : []),
    ...(sameSite ? [`SameSite=${sameSite}`] : []),
  ].join('; ');
}
