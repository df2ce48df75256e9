// Values of fields that may be empty. Inputs need a text, the API needs null.

export const textOrNull = (typed: string): string | null => (typed.trim() === '' ? null : typed);

/** The value of a number input. */
export const numberOrEmpty = (stored: number | null): number | '' => stored ?? '';

/** An empty number, which the API refuses where a number is required. */
export const numberOrNull = (typed: number | ''): number | null => (typed === '' ? null : typed);
