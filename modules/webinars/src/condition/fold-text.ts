// How texts are compared: without regard to case, width and the amount of space. No regular expression of a user is ever run.

/** Two texts that people would call the same become the same string. */
export const foldText = (text: string): string =>
  text.normalize('NFKC').toUpperCase().toLowerCase().trim().replaceAll(/\s+/gu, ' ');
