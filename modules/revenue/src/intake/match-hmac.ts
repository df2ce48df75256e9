import { createHmac, timingSafeEqual, type KeyObject } from 'node:crypto';

/** Bytes of an HMAC-SHA256. */
export const hmacBytes = 32;

/**
 * The index of the key with which one of the signatures was made, or -1. Computes and compares for every key, so that the time
 * does not depend on the result. A signature of another length never matches.
 */
export function matchHmac(
  keys: readonly KeyObject[],
  signed: readonly (string | Uint8Array)[],
  signatures: readonly Buffer[],
): number {
  let match = -1;
  for (const [index, key] of keys.entries()) {
    const hmac = createHmac('sha256', key);
    for (const part of signed) hmac.update(part);
    const expected = hmac.digest();
    for (const signature of signatures) {
      const isEqual = signature.length === hmacBytes && timingSafeEqual(expected, signature);
      if (isEqual && match === -1) match = index;
    }
  }
  return match;
}
