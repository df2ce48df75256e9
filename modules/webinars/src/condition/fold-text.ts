// How texts are compared: without regard to case, width and the amount of space. No regular expression of a user is ever run.

/** Two texts that people would call the same become the same string. */
export const foldText = (text: string): string =>
  text.normalize('NFKC').toUpperCase().toLowerCase().trim().replaceAll(/\s+/gu, ' ');

/** Whether a folded text holds a folded word or phrase with no letter or digit right before or after it. */
export function holdsWord(text: string, word: string): boolean {
  if (word === '') return false;
  for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, at + 1)) {
    const before = text.slice(0, at);
    const after = text.slice(at + word.length);
    if (!/[\p{L}\p{M}\p{N}]$/u.test(before) && !/^[\p{L}\p{M}\p{N}]/u.test(after)) return true;
  }
  return false;
}
