// The version of a record that people edit, for If-Match. A door of its own (`@service/trpc/version`) without imports, because the
// dashboard computes the version of the record in a form.

/** Fields that change without an edit: times, counts, health, and results of calls such as publish, rotate-secret and switching off. */
const unedited: ReadonlySet<string> = new Set([
  'status',
  'nextSession',
  'publishedAt',
  'createdAt',
  'updatedAt',
  'health',
  'secret',
  'secretLast4',
  'secretRotatedAt',
  'lastFiredAt',
  'actualStartedAt',
  'actualEndedAt',
  'positionSeconds',
  'currentSegmentId',
  'registrationCount',
  'cancelledDeliveries',
]);

/**
 * The version of a record as the API answers it: 16 hexadecimal digits. It is the same for every answer with this record, and
 * changes with every field that a person can edit.
 */
export function versionOf(record: object): string {
  const edited = Object.entries(record).filter(([name]) => !unedited.has(name));
  return hash(canonical(Object.fromEntries(edited)));
}

/** True if `If-Match` names the version. The second part of an ETag names the rest of the answer and is not compared. */
export function matchesVersion(ifMatch: string, version: string): boolean {
  return ifMatch
    .split(',')
    .map((tag) => tag.trim())
    .some((tag) => tag === '*' || opaqueOf(tag)?.split('.')[0] === version);
}

/**
 * The text of an entity tag. A weak tag counts as a strong one here: a proxy that compresses an answer makes its tag weak, and the
 * version in it is still that of the record.
 */
const opaqueOf = (tag: string): string | undefined => /^(?:W\/)?"([^"]*)"$/.exec(tag)?.[1];

/** JSON with the members of objects in one order, because a database and a form do not keep their order. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_name, member: unknown) =>
    typeof member === 'object' && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : member,
  );
}

/** cyrb53 with all of its 64 bits (https://github.com/bryc/code). The hashes of browsers are asynchronous. */
function hash(text: string): string {
  let high = 0xdeadbeef;
  let low = 0x41c6ce57;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    high = Math.imul(high ^ unit, 2654435761);
    low = Math.imul(low ^ unit, 1597334677);
  }
  high = Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909);
  low = Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909);
  return hex(low) + hex(high);
}

const hex = (half: number): string => (half >>> 0).toString(16).padStart(8, '0');
