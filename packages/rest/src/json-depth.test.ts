import { expect, test } from 'vitest';
import { findExceeded } from './json-depth.ts';

/** The depth that a parser finds. */
const depthOf = (value: unknown): number =>
  typeof value === 'object' && value !== null
    ? 1 + Math.max(0, ...Object.values(value).map((member) => depthOf(member)))
    : 0;

/** Lists, objects, and what is in them after the first. */
const valuesIn = (value: unknown): number =>
  typeof value === 'object' && value !== null
    ? Math.max(1, Object.values(value).length) +
      Object.values(value).reduce((sum: number, inner) => sum + valuesIn(inner), 0)
    : 0;

const strings = ['', '[', '{"a":[', '"', '\\', '\\"]', '\u0000', '🙂[', ']}', '\\\\"{'];

/** Lists, objects and strings with brackets, quotes and backslashes in them. */
function randomJson(random: () => number, levels: number): unknown {
  const pick = Math.floor(random() * (levels === 0 ? 1 : 3));
  const text = () => strings[Math.floor(random() * strings.length)]!;
  if (pick === 0) return text();
  const members = Array.from({ length: Math.floor(random() * 4) }, () => randomJson(random, levels - 1));
  return pick === 1 ? members : Object.fromEntries(members.map((member) => [text(), member]));
}

test('the depth and the values of a text are those of the parsed value', () => {
  let seed = 29;
  const random = () => (seed = (seed * 48_271) % 2_147_483_647) / 2_147_483_647;
  for (let round = 0; round < 2000; round += 1) {
    const value = randomJson(random, 6);
    const bytes = Buffer.from(JSON.stringify(value, null, round % 2));
    const depth = depthOf(value);
    expect(findExceeded(bytes, { levels: depth }), bytes.toString()).toBeUndefined();
    if (depth > 0) expect(findExceeded(bytes, { levels: depth - 1 })).toBe('levels');
    const values = 1 + valuesIn(value);
    expect(findExceeded(bytes, { values }), bytes.toString()).toBeUndefined();
    expect(findExceeded(bytes, { values: values - 1 }), bytes.toString()).toBe('values');
  }
});

test('a text that does not end is read to its end', () => {
  for (const text of ['"[[[', '"\\', '["', ']]][', '{"a":"\\"[[['])
    expect(findExceeded(Buffer.from(text), { levels: 1 }), text).toBeUndefined();
});
