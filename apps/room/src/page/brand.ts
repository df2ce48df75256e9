// The colours of a workspace on light and dark pages. A workspace may choose any colour: one with too little contrast is made darker
// on light pages and lighter on dark pages.

interface BrandTones {
  /** Of buttons: at least 1.4:1 to the page, so that a button differs from it. */
  fill: string;
  /** Of text on the fill: white if it has at least 4.5:1 there, otherwise black. */
  text: string;
  /** Of links and icons: at least 4.5:1 to the page. */
  ink: string;
}

type Rgb = readonly [number, number, number];

const schemes = {
  light: { page: '#ffffff', towards: [0, 0, 0] },
  // The lightest surface of dark pages.
  dark: { page: '#232329', towards: [255, 255, 255] },
} as const;

/** The tones of `#rrggbb` in a colour scheme. */
export function brandTones(color: string, scheme: keyof typeof schemes): BrandTones {
  const { page, towards } = schemes[scheme];
  const fill = toContrast(parse(color), towards, { with: parse(page), least: 1.4 });
  const isWhiteReadable = contrast(fill, white) >= 4.5;
  return {
    fill: format(fill),
    text: isWhiteReadable ? '#ffffff' : '#000000',
    ink: format(toContrast(parse(color), towards, { with: parse(page), least: 4.5 })),
  };
}

/** Sets the tokens of the theme. Without a colour, the pages have the colours of the dashboard. */
export function applyBrand(color: string | null): void {
  if (color === null || !/^#[0-9a-f]{6}$/i.test(color)) return;
  const { style } = document.documentElement;
  for (const scheme of ['light', 'dark'] as const) {
    const { fill, text, ink } = brandTones(color, scheme);
    style.setProperty(`--brand-${scheme}`, fill);
    style.setProperty(`--brand-text-${scheme}`, text);
    style.setProperty(`--brand-ink-${scheme}`, ink);
  }
}

const white: Rgb = [255, 255, 255];

function toContrast(color: Rgb, towards: Rgb, { with: page, least }: { with: Rgb; least: number }): Rgb {
  for (let part = 0; part < 1; part += 0.02) {
    const mixed = mix(color, towards, part);
    if (contrast(mixed, page) >= least) return mixed;
  }
  return towards;
}

const mix = (color: Rgb, other: Rgb, part: number): Rgb =>
  color.map((value, index) => Math.round(value + (other[index]! - value) * part)) as unknown as Rgb;

/** https://www.w3.org/TR/WCAG22/#dfn-contrast-ratio */
function contrast(one: Rgb, other: Rgb): number {
  const [darker, lighter] = [luminance(one), luminance(other)].toSorted((a, b) => a - b) as [number, number];
  return (lighter + 0.05) / (darker + 0.05);
}

function luminance(color: Rgb): number {
  const [red, green, blue] = color.map((value) => {
    const part = value / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  }) as unknown as Rgb;
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

const parse = (color: string): Rgb =>
  [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16)) as unknown as Rgb;

const format = (color: Rgb): string =>
  `#${color.map((value) => value.toString(16).padStart(2, '0')).join('')}`;
