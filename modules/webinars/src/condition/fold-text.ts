// Comparisons ignore case, character width and the amount of white space. Regular expressions of users are never run.

/** Texts that differ only in case, width or white space become the same string. */
export const foldText = (text: string): string =>
  text.normalize('NFKC').toUpperCase().toLowerCase().trim().replaceAll(/\s+/gu, ' ');
