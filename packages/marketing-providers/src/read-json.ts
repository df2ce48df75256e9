// Reads answers of tools without trust in their form.

/** The value at a path of a JSON value. Undefined where there is none. */
export function at(json: unknown, ...path: (string | number)[]): unknown {
  return path.reduce<unknown>(
    (inner, key) =>
      typeof inner === 'object' && inner !== null && Object.hasOwn(inner, key)
        ? (inner as Record<string | number, unknown>)[key]
        : undefined,
    json,
  );
}

/** The text or number at a path, as a text. Undefined for anything else and for an empty text. */
export function textAt(json: unknown, ...path: (string | number)[]): string | undefined {
  const value = at(json, ...path);
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** The list at a path. Empty where there is none. */
export function listAt(json: unknown, ...path: (string | number)[]): unknown[] {
  const value = at(json, ...path);
  return Array.isArray(value) ? value : [];
}
