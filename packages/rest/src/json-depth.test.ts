import { expect, test } from 'vitest';
import { isNestedDeeper } from './json-depth.ts';

/** The depth that a parser finds. */
const depthOf = (value: unknown): number =>
  typeof value === 'object' && value !== null
    ? 1 + Math.max(0, ...Object.values(value).map((member) => depthOf(member)))
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

test('the depth of a text is that of the parsed value', () => {
  let seed = 29;
  const random = () => (seed = (seed * 48_271) % 2_147_483_647) / 2_147_483_647;
  for (let round = 0; round < 2000; round += 1) {
    const value = randomJson(random, 6);
    const bytes = Buffer.from(JSON.stringify(value, null, round % 2));
    const depth = depthOf(value);
    expect(isNestedDeeper(bytes, depth), bytes.toString()).toBe(false);
    if (depth > 0) expect(isNestedDeeper(bytes, depth - 1), bytes.toString()).toBe(true);
  }
});

test('a text that does not end is read to its end', () => {
  for (const text of ['"[[[', '"\\', '["', ']]][', '{"a":"\\"[[['])
    expect(isNestedDeeper(Buffer.from(text), 1), text).toBe(false);
});
