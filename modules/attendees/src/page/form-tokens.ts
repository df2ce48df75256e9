// A form token says when a registration page was read. It is signed, so a program cannot send registrations without reading the page
// first, and waiting as long as a person needs. It is base64url of the time (6 bytes) and the first 16 bytes of an HMAC.
import { createHmac, timingSafeEqual } from 'node:crypto';

export interface FormTokens {
  create(webinarId: string, now: Date): string;
  /** True for a token that was made for a page of the webinar, between two seconds and a day ago. */
  isValid(token: string, webinarId: string, now: Date): boolean;
}

const youngestMs = 2000;
const oldestMs = 86_400_000;
const timeBytes = 6;
const macBytes = 16;

/** Tokens made with `formerKeys` stay valid, so that open pages survive a new encryption key. */
export function createFormTokens({
  key,
  formerKeys = [],
}: {
  key: string;
  formerKeys?: readonly string[];
}): FormTokens {
  const macOf = (time: Buffer, webinarId: string, candidate: string): Buffer =>
    createHmac('sha256', candidate).update(`form ${webinarId} `).update(time).digest().subarray(0, macBytes);
  return {
    create(webinarId, now) {
      const time = Buffer.alloc(timeBytes);
      time.writeUIntBE(now.getTime(), 0, timeBytes);
      return Buffer.concat([time, macOf(time, webinarId, key)]).toString('base64url');
    },
    isValid(token, webinarId, now) {
      const bytes = Buffer.from(token, 'base64url');
      if (bytes.length !== timeBytes + macBytes) return false;
      const time = bytes.subarray(0, timeBytes);
      const mac = bytes.subarray(timeBytes);
      const ageMs = now.getTime() - time.readUIntBE(0, timeBytes);
      if (ageMs < youngestMs || ageMs > oldestMs) return false;
      return [key, ...formerKeys].some((candidate) =>
        timingSafeEqual(mac, macOf(time, webinarId, candidate)),
      );
    },
  };
}
