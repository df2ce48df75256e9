import { createPublicKey } from 'node:crypto';
import { readTags } from './tags.ts';

export type DkimKey =
  | { kind: 'key'; type: 'rsa' | 'ed25519'; bits: number }
  | { kind: 'revoked' }
  | { kind: 'invalid'; problem: string };

/** RFC 8301. */
const rsaBitsMin = 1024;

/** Reads the record of a DKIM key (RFC 6376, 3.6.1). */
export function readDkim(record: string): DkimKey {
  const tags = readTags(record);
  if (!tags) return { kind: 'invalid', problem: 'The record is not a list of tags.' };
  if (tags.has('v') && tags.get('v') !== 'DKIM1')
    return { kind: 'invalid', problem: 'Its version is not DKIM1.' };
  const key = tags.get('p')?.replaceAll(/\s/g, '');
  if (key === undefined) return { kind: 'invalid', problem: 'The record has no key (p=).' };
  if (key === '') return { kind: 'revoked' };
  const type = tags.get('k') ?? 'rsa';
  const bytes = Buffer.from(key, 'base64');
  if (type === 'ed25519')
    return bytes.length === 32
      ? { kind: 'key', type, bits: 256 }
      : { kind: 'invalid', problem: 'The key is cut off or damaged.' };
  if (type !== 'rsa')
    return { kind: 'invalid', problem: `Receivers do not know the key type ${type.slice(0, 20)}.` };
  const bits = rsaBits(bytes);
  if (bits === undefined) return { kind: 'invalid', problem: 'The key is cut off or damaged.' };
  if (bits < rsaBitsMin)
    return {
      kind: 'invalid',
      problem: `The key has ${bits} bits. Receivers ignore keys below ${rsaBitsMin} bits.`,
    };
  return { kind: 'key', type, bits };
}

function rsaBits(der: Buffer): number | undefined {
  try {
    const key = createPublicKey({ key: der, format: 'der', type: 'spki' });
    return key.asymmetricKeyType === 'rsa' ? key.asymmetricKeyDetails?.modulusLength : undefined;
  } catch {
    return undefined;
  }
}
