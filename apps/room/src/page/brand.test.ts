import { expect, test } from 'vitest';
import { brandTones } from './brand.ts';

test('any colour of a workspace can be seen as a button, read as text, and read on', () => {
  const colors = ['#4451dc', '#ffffff', '#000000', '#ffd400', '#7f7f7f', '#0b0b0d', '#e11d48', '#00ffcc'];
  for (const color of colors) {
    for (const [scheme, page] of [
      ['light', '#ffffff'],
      ['dark', '#131316'],
    ] as const) {
      const { fill, text, ink } = brandTones(color, scheme);
      const found = `${color} on ${scheme}`;
      expect(contrast(fill, page), found).toBeGreaterThanOrEqual(1.4);
      expect(contrast(text, fill), found).toBeGreaterThanOrEqual(4.5);
      expect(contrast(ink, page), found).toBeGreaterThanOrEqual(4.5);
    }
  }
});

test('a colour that can be seen stays as it was chosen', () => {
  expect(brandTones('#4451dc', 'light')).toMatchObject({ fill: '#4451dc', text: '#ffffff', ink: '#4451dc' });
  expect(brandTones('#ffd400', 'light')).toMatchObject({ fill: '#ffd400', text: '#000000' });
  expect(brandTones('#ffd400', 'dark')).toMatchObject({ fill: '#ffd400', text: '#000000' });
});

/** https://www.w3.org/TR/WCAG22/#dfn-contrast-ratio, written a second time so that an error of the code is found. */
function contrast(one: string, other: string): number {
  const [darker, lighter] = [one, other].map(luminance).toSorted((a, b) => a - b) as [number, number];
  return (lighter + 0.05) / (darker + 0.05);
}

function luminance(color: string): number {
  const number = Number.parseInt(color.slice(1), 16);
  const linear = (value: number): number =>
    value <= 10 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4;
  return linear(number >> 16) * 0.2126 + linear((number >> 8) & 255) * 0.7152 + linear(number & 255) * 0.0722;
}
