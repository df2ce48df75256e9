// Comparisons ignore case, character width and the amount of white space. Regular expressions of users are never run.
//
// Text search in linear time. `includes` is not linear: in 900,000 letters "a", a search for 9,000 letters that begin with "ab"
// takes 2.5 s (V8 preprocesses only the last 250 units of a pattern), and 8 ms here. `indexOf` after each hit is not linear
// either, because it starts again.

/** The methods of a text that a search uses, so that a test can count the reads. */
export type Units = Pick<string, 'length' | 'charCodeAt'>;

/** True if a text contains another text. */
export const containsText = (text: Units, part: Units): boolean => search(text, part, () => true);

/** True if a folded text contains a folded word or phrase without a letter or digit directly before or after it. */
export const containsWord = (text: Units, word: Units): boolean =>
  word.length > 0 &&
  search(
    text,
    word,
    (at) => !isWordPart(codePointBefore(text, at)) && !isWordPart(codePointAt(text, at + word.length)),
  );

/**
 * Calls `isWanted` with the position of each hit, also of overlapping ones, until it returns true. Knuth-Morris-Pratt: after a
 * mismatch the table says how much of the pattern still matches, so the text is read once.
 */
function search(text: Units, pattern: Units, isWanted: (at: number) => boolean): boolean {
  const { length } = pattern;
  if (length > text.length) return false;
  if (length === 0) return isWanted(0);
  const borders = bordersOf(pattern);
  let matched = 0;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    while (matched > 0 && unit !== pattern.charCodeAt(matched)) matched = borders[matched - 1]!;
    if (unit === pattern.charCodeAt(matched)) matched += 1;
    if (matched < length) continue;
    if (isWanted(index + 1 - length)) return true;
    matched = borders[length - 1]!;
  }
  return false;
}

/** For each prefix of the pattern, the length of its longest proper prefix that is also its suffix. */
function bordersOf(pattern: Units): Uint32Array {
  const borders = new Uint32Array(pattern.length);
  let matched = 0;
  for (let index = 1; index < pattern.length; index += 1) {
    const unit = pattern.charCodeAt(index);
    while (matched > 0 && unit !== pattern.charCodeAt(matched)) matched = borders[matched - 1]!;
    if (unit === pattern.charCodeAt(matched)) matched += 1;
    borders[index] = matched;
  }
  return borders;
}

/** Combining marks count, because a mark belongs to the letter before it. */
const isWordPart = (codePoint: number | undefined): boolean =>
  codePoint !== undefined && /^[\p{L}\p{M}\p{N}]$/u.test(String.fromCodePoint(codePoint));

function codePointBefore(text: Units, end: number): number | undefined {
  if (end === 0) return undefined;
  const last = text.charCodeAt(end - 1);
  if (end === 1 || !isLow(last)) return last;
  const first = text.charCodeAt(end - 2);
  return isHigh(first) ? pairOf(first, last) : last;
}

function codePointAt(text: Units, at: number): number | undefined {
  if (at >= text.length) return undefined;
  const first = text.charCodeAt(at);
  if (at + 1 === text.length || !isHigh(first)) return first;
  const second = text.charCodeAt(at + 1);
  return isLow(second) ? pairOf(first, second) : first;
}

const isHigh = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdbff;

const isLow = (unit: number): boolean => unit >= 0xdc00 && unit <= 0xdfff;

const pairOf = (high: number, low: number): number => (high - 0xd800) * 0x400 + (low - 0xdc00) + 0x10000;

/** Texts that differ only in case, width or white space become the same string. */
export const foldText = (text: string): string =>
  text.normalize('NFKC').toUpperCase().toLowerCase().trim().replaceAll(/\s+/gu, ' ');

/** The part of an event's budget that folded texts take. */
export interface FoldBudget {
  /** Stays true once it is true. Results after that are invalid. */
  readonly isSpent: boolean;
  /** Folds a text for comparison, each text once. Returns an empty text if the budget is spent. */
  fold(text: string): string;
}

const remembered = new WeakMap<object, ReadonlySet<string>>();

/**
 * Folds the texts of a condition or keyword list once and caches them while that object is in memory, which is while its rule is
 * in the rule cache. Texts that become more than twice as long are not cached, because the rule cache counts the unfolded
 * characters.
 */
export function foldOnce(
  owner: object,
  textsOf: () => readonly string[],
  budget: FoldBudget,
): ReadonlySet<string> {
  const known = remembered.get(owner);
  if (known) return known;
  const texts = textsOf();
  const folded = new Set(texts.map((text) => budget.fold(text)));
  if (!budget.isSpent && lengthOf(folded) <= 2 * lengthOf(texts)) remembered.set(owner, folded);
  return folded;
}

function lengthOf(texts: Iterable<string>): number {
  let length = 0;
  for (const text of texts) length += text.length;
  return length;
}
