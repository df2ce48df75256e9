/** A text as one word of a POSIX shell, which changes nothing between single quotes. A single quote itself must be outside of them. */
export const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
