// better-auth's session cookie is `token.signature`, the signature being base64(HMAC-SHA256(secret, token)), all of it
// URL-encoded. Reading it here instead of through better-auth makes a member's authentication one statement.
import { createHmac, createSecretKey, timingSafeEqual } from 'node:crypto';

export type ReadSessionToken = (cookieHeader: string | null | undefined) => string | undefined;

/** The cookies of a session as better-auth names and describes them. */
export interface SessionCookies {
  sessionToken: SessionCookie;
  /** Its presence says that the session ends with the browser and is not prolonged. */
  dontRememberToken: SessionCookie;
}

interface SessionCookie {
  name: string;
  attributes: { path?: string; secure?: boolean; httpOnly?: boolean; sameSite?: string };
}

/** Returns the session token of a Cookie header if its signature is ours. */
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

// The first of equal names wins, as it does in better-auth's reader (better-call, cookies.ts).
export function cookieOf(header: string, name: string): string | undefined {
  for (const pair of header.split(';')) {
    const equals = pair.indexOf('=');
    if (pair.slice(0, equals).trim() !== name) continue;
    try {
      return decodeURIComponent(pair.slice(equals + 1).trim());
    } catch {
      return undefined; // not URL-encoded, so not written by us
    }
  }
  return undefined;
}

/** A `Set-Cookie` line. With 0 seconds it removes the cookie. */
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
