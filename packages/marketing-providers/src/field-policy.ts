// Chooses the fields of a change that are written, by their policies and by the values that the tool has. All tools keep those in the
// same entries of `Progress`: `contact` is the id of a known contact, `value:{key}` says that the contact has a value for a field.
import type { ContactChange, FieldChange, Progress } from './marketing-provider.ts';

/** True when the contact must be looked up before it is written, in a step named `lookup`. */
export const needsLookup = ({ fields }: ContactChange): boolean =>
  fields.some(({ policy }) => policy !== 'always');

/** The keys of the fields whose values the look-up must ask for. */
export const keysToLookUp = ({ fields }: ContactChange): string[] =>
  fields.filter(({ policy }) => policy === 'if_empty').map(({ key }) => key);

/** The result of a look-up, for `Progress`. `contact` undefined: the tool does not have it. */
export function learnContact(
  contact: string | undefined,
  change: ContactChange,
  valueOf: (key: string) => unknown,
): Record<string, string> {
  if (contact === undefined) return {};
  const known = keysToLookUp(change).filter((key) => !isEmpty(valueOf(key)));
  return { contact, ...Object.fromEntries(known.map((key) => [`value:${key}`, 'yes'])) };
}

const isEmpty = (value: unknown): boolean => value === undefined || value === null || value === '';

/** The fields to write. Before the look-up: all of them, as the preview shows them. */
export function fieldsToWrite({ fields }: ContactChange, { done, learnt }: Progress): FieldChange[] {
  if (!done.has('lookup')) return [...fields];
  return fields.filter(({ key, policy }) => {
    if (policy === 'always' || learnt['contact'] === undefined) return true;
    return policy === 'if_empty' && learnt[`value:${key}`] === undefined;
  });
}
