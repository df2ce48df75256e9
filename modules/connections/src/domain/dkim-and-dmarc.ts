// The records of DKIM keys and DMARC policies.
import { createPublicKey } from 'node:crypto';

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

const policies = ['none', 'quarantine', 'reject'] as const;
type Policy = (typeof policies)[number];

export type Dmarc =
  | { kind: 'none' }
  | { kind: 'invalid'; problem: string; records: string[] }
  | {
      kind: 'valid';
      record: string;
      policy: Policy;
      /** For names below the host of the record. */
      subdomainPolicy: Policy;
      /** The From domain must be exactly the domain of the SPF check, not only of the same organization. */
      isSpfStrict: boolean;
      percent: number;
    };

const isPolicy = (value: string | undefined): value is Policy => policies.includes(value as Policy);

/** Reads the texts of a `_dmarc` host (RFC 7489, 6.3 and 6.6.3). */
export function readDmarc(texts: readonly string[]): Dmarc {
  const records = texts.filter((text) => /^v\s*=\s*DMARC1\s*(?:;|$)/.test(text));
  const [record] = records;
  if (record === undefined) return { kind: 'none' };
  const invalid = (problem: string): Dmarc => ({ kind: 'invalid', problem, records });
  if (records.length > 1)
    return invalid(`There are ${records.length} DMARC records. Receivers then act as if there was none.`);
  const tags = readTags(record);
  if (!tags) return invalid('The record is not a list of tags.');
  const given = tags.get('p')?.toLowerCase();
  // With an address for reports a wrong policy counts as `none`.
  const policy = isPolicy(given) ? given : tags.has('rua') ? 'none' : undefined;
  if (policy === undefined)
    return invalid('The record has no valid policy: p=none, p=quarantine or p=reject.');
  const below = tags.get('sp')?.toLowerCase();
  const percent = Number(tags.get('pct') ?? 100);
  return {
    kind: 'valid',
    record,
    policy,
    subdomainPolicy: isPolicy(below) ? below : policy,
    isSpfStrict: tags.get('aspf')?.toLowerCase() === 's',
    percent: Number.isInteger(percent) && percent >= 0 && percent <= 100 ? percent : 100,
  };
}

const tagsMax = 50;

/** The tags of a DKIM or DMARC record, `a=1; b=2`, by lower-case name. Undefined for another text, and when a tag appears twice. */
function readTags(record: string): Map<string, string> | undefined {
  const tags = new Map<string, string>();
  for (const part of record.split(';').slice(0, tagsMax)) {
    if (part.trim() === '') continue;
    const [, name, value] = /^\s*([a-z]\w*)\s*=([^]*)$/i.exec(part) ?? [];
    if (name === undefined || tags.has(name.toLowerCase())) return undefined;
    tags.set(name.toLowerCase(), value!.trim());
  }
  return tags;
}
