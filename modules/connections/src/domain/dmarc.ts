import { readTags } from './tags.ts';

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
