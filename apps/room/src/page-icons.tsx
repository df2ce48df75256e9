/**
 * @license Tabler Icons 3.51.0, MIT License, Copyright (c) 2020-2026 Paweł Kuna
 *
 * The icons of Tabler (https://tabler.io/icons) that these pages use. For a further one, copy the `d` of its paths, joined to one text. The
 * license is in `infra/licenses/tabler-icons.txt`.
 */
import type { ReactNode, SVGProps } from 'react';

interface IconProps extends Omit<SVGProps<SVGSVGElement>, 'stroke'> {
  /** Pixels; 24. */
  size?: number;
  /** The width of the lines, in 24ths of the size; 2. */
  stroke?: number;
}

type Icon = (props: IconProps) => ReactNode;

const outline =
  (path: string): Icon =>
  ({ size = 24, stroke = 2, color = 'currentColor', ...rest }) => (
    <svg
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke={color}
      strokeWidth={stroke}
      strokeLinecap="round"
      strokeLinejoin="round"
      {...rest}
    >
      <path d={path} />
    </svg>
  );

const filled =
  (path: string): Icon =>
  ({ size = 24, color = 'currentColor', stroke: _stroke, ...rest }) => (
    <svg width={size} height={size} viewBox="0 0 24 24" fill={color} {...rest}>
      <path d={path} />
    </svg>
  );

export const IconBolt = outline('M13 3l0 7l6 0l-8 11l0 -7l-6 0l8 -11');
export const IconBrandGoogle = outline(
  'M20.945 11a9 9 0 1 1 -3.284 -5.997l-2.655 2.392a5.5 5.5 0 1 0 2.119 6.605h-4.125v-3h7.945',
);
export const IconBrandWindows = outline(
  'M17.8 20l-12 -1.5c-1 -.1 -1.8 -.9 -1.8 -1.9v-9.2c0 -1 .8 -1.8 1.8 -1.9l12 -1.5c1.2 -.1 2.2 .8 2.2 1.9v12.1c0 1.2 -1.1 2.1 -2.2 1.9l0 .1M12 5l0 14M4 12l16 0',
);
export const IconCalendarCheck = outline(
  'M11.5 21h-5.5a2 2 0 0 1 -2 -2v-12a2 2 0 0 1 2 -2h12a2 2 0 0 1 2 2v6M16 3v4M8 3v4M4 11h16M15 19l2 2l4 -4',
);
export const IconCalendarDown = outline(
  'M12.5 21h-6.5a2 2 0 0 1 -2 -2v-12a2 2 0 0 1 2 -2h12a2 2 0 0 1 2 2v5M19 16v6M22 19l-3 3l-3 -3M16 3v4M8 3v4M4 11h16',
);
export const IconCalendarOff = outline(
  'M9 5h9a2 2 0 0 1 2 2v9m-.184 3.839a2 2 0 0 1 -1.816 1.161h-12a2 2 0 0 1 -2 -2v-12a2 2 0 0 1 1.158 -1.815M16 3v4M8 3v1M4 11h7m4 0h5M3 3l18 18',
);
export const IconCalendarX = outline(
  'M13 21h-7a2 2 0 0 1 -2 -2v-12a2 2 0 0 1 2 -2h12a2 2 0 0 1 2 2v6.5M16 3v4M8 3v4M4 11h16M22 22l-5 -5M17 22l5 -5',
);
export const IconCheck = outline('M5 12l5 5l10 -10');
export const IconCircleCheckFilled = filled(
  'M17 3.34a10 10 0 1 1 -14.995 8.984l-.005 -.324l.005 -.324a10 10 0 0 1 14.995 -8.336zm-1.293 5.953a1 1 0 0 0 -1.32 -.083l-.094 .083l-3.293 3.292l-1.293 -1.292l-.094 -.083a1 1 0 0 0 -1.403 1.403l.083 .094l2 2l.094 .083a1 1 0 0 0 1.226 0l.094 -.083l4 -4l.083 -.094a1 1 0 0 0 -.083 -1.32z',
);
export const IconClock = outline('M3 12a9 9 0 1 0 18 0a9 9 0 0 0 -18 0M12 7v5l3 3');
export const IconClockPause = outline('M20.942 13.018a9 9 0 1 0 -7.909 7.922M12 7v5l2 2M17 17v5M21 17v5');
export const IconCopy = outline(
  'M7 9.667a2.667 2.667 0 0 1 2.667 -2.667h8.666a2.667 2.667 0 0 1 2.667 2.667v8.666a2.667 2.667 0 0 1 -2.667 2.667h-8.666a2.667 2.667 0 0 1 -2.667 -2.667l0 -8.666M4.012 16.737a2.005 2.005 0 0 1 -1.012 -1.737v-10c0 -1.1 .9 -2 2 -2h10c.75 0 1.158 .385 1.5 1',
);
export const IconError404 = outline(
  'M3 8v3a1 1 0 0 0 1 1h3M7 8v8M17 8v3a1 1 0 0 0 1 1h3M21 8v8M10 10v4a2 2 0 1 0 4 0v-4a2 2 0 1 0 -4 0',
);
export const IconHeart = outline(
  'M19.5 12.572l-7.5 7.428l-7.5 -7.428a5 5 0 1 1 7.5 -6.566a5 5 0 1 1 7.5 6.572',
);
export const IconLinkOff = outline(
  'M9 15l3 -3m2 -2l1 -1M11 6l.463 -.536a5 5 0 0 1 7.071 7.072l-.534 .464M3 3l18 18M13 18l-.397 .534a5.068 5.068 0 0 1 -7.127 0a4.972 4.972 0 0 1 0 -7.071l.524 -.463',
);
export const IconMailForward = outline(
  'M12 18h-7a2 2 0 0 1 -2 -2v-10a2 2 0 0 1 2 -2h14a2 2 0 0 1 2 2v7.5M3 6l9 6l9 -6M15 18h6M18 15l3 3l-3 3',
);
export const IconPlayerPlayFilled = filled(
  'M6 4v16a1 1 0 0 0 1.524 .852l13 -8a1 1 0 0 0 0 -1.704l-13 -8a1 1 0 0 0 -1.524 .852z',
);
export const IconUsersGroup = outline(
  'M10 13a2 2 0 1 0 4 0a2 2 0 0 0 -4 0M8 21v-1a2 2 0 0 1 2 -2h4a2 2 0 0 1 2 2v1M15 5a2 2 0 1 0 4 0a2 2 0 0 0 -4 0M17 10h2a2 2 0 0 1 2 2v1M5 5a2 2 0 1 0 4 0a2 2 0 0 0 -4 0M3 13v-1a2 2 0 0 1 2 -2h2',
);
export const IconWorld = outline(
  'M3 12a9 9 0 1 0 18 0a9 9 0 0 0 -18 0M3.6 9h16.8M3.6 15h16.8M11.5 3a17 17 0 0 0 0 18M12.5 3a17 17 0 0 1 0 18',
);
