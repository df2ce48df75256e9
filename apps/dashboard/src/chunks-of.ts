/** The entries in pieces of at most `size`, for calls that take a limited number of ids. */
export const chunksOf = <Entry>(entries: readonly Entry[], size: number): Entry[][] =>
  Array.from({ length: Math.ceil(entries.length / size) }, (_unused, index) =>
    entries.slice(index * size, (index + 1) * size),
  );
