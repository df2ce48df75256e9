import fc from 'fast-check';
import { expect, test } from 'vitest';
import { containsText, containsWord, foldText, type Units } from './search-text.ts';

/** A slow reference search: tests every position with the text before and after it. */
function containsWordNaively(text: string, word: string): boolean {
  if (word === '') return false;
  for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, at + 1)) {
    const before = text.slice(0, at);
    const after = text.slice(at + word.length);
    if (!/[\p{L}\p{M}\p{N}]$/u.test(before) && !/^[\p{L}\p{M}\p{N}]/u.test(after)) return true;
  }
  return false;
}

// Few different pieces, so that words are found often: letters, a letter of two units, marks, characters that NFKC makes longer,
// and halves of surrogate pairs.
const piece = fc.constantFrom(
  'a',
  'b',
  'é',
  'e\u0301',
  '\u0301',
  '1',
  ' ',
  '.',
  '𝒳',
  '𐐀',
  '👍',
  '\u{1D165}',
  'ﷺ',
  'ﬃ',
  '\uD835',
  '\uDC00',
);
const pieces = (maxLength: number) => fc.array(piece, { maxLength }).map((list) => list.join(''));

test('contains_word agrees with the slow search in any text', () => {
  fc.assert(
    fc.property(pieces(30), pieces(3), (text, word) => {
      expect(containsWord(text, word)).toBe(containsWordNaively(text, word));
      const [folded, foldedWord] = [foldText(text), foldText(word)];
      expect(containsWord(folded, foldedWord)).toBe(containsWordNaively(folded, foldedWord));
    }),
    { numRuns: 3000 },
  );
});

test('contains agrees with `includes` in any text', () => {
  fc.assert(
    fc.property(pieces(30), pieces(4), (text, part) => {
      expect(containsText(text, part)).toBe(text.includes(part));
    }),
    { numRuns: 3000 },
  );
});

test.each([
  ['a 𐐀x b', 'x', false],
  ['a x𐐀 b', 'x', false],
  ['a 👍x👍 b', 'x', true],
  ['e\u0323x', 'x', false],
  ['x\u0301', 'x', false],
  ['aaa aa', 'aa', true],
  ['aaaa', 'aa', false],
])('%j contains the word %j: %s', (text, word, expected) => {
  expect(containsWord(text, word)).toBe(expected);
});

/** A text that counts the reads of its units. */
function counted(text: string): Units & { reads: number } {
  return {
    reads: 0,
    length: text.length,
    charCodeAt(index) {
      this.reads += 1;
      return text.charCodeAt(index);
    },
  };
}

/** Reads of a search per unit of the text and the word together. */
function readsPerUnit(find: typeof containsWord, text: string, word: string): number {
  const [countedText, countedWord] = [counted(text), counted(word)];
  find(countedText, countedWord);
  return (countedText.reads + countedWord.reads) / (text.length + word.length);
}

test.each([
  ['a hit at every place', (size: number) => ['a'.repeat(size), 'aa']],
  ['a long word that nearly fits everywhere', (size: number) => ['a'.repeat(size), 'a'.repeat(size / 2)]],
  ['a long word that differs at its start', (size: number) => ['a'.repeat(size), `b${'a'.repeat(size / 2)}`]],
  ['a long word that differs at its end', (size: number) => ['a'.repeat(size), `${'a'.repeat(size / 2)}b`]],
  [
    'a word that repeats itself',
    (size: number) => ['ab'.repeat(size / 2), `${'ab'.repeat(size / 4)}${'ba'.repeat(size / 8)}`],
  ],
  ['pairs of surrogates', (size: number) => ['𐐀'.repeat(size / 2), '𐐀𐐀']],
])('%s: a search needs at most seven reads per unit', (_name, make) => {
  for (const find of [containsWord, containsText])
    for (const size of [1024, 2048, 4096, 65_536]) {
      const [text, word] = make(size) as [string, string];
      expect(readsPerUnit(find, text, word)).toBeLessThan(7);
    }
});
