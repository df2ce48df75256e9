import type { Icon } from '@tabler/icons-react';

/** One line of the search. */
export interface PaletteEntry {
  id: string;
  label: string;
  description?: string;
  icon: Icon;
  run: () => void;
}

export interface PaletteGroup {
  heading: string;
  entries: PaletteEntry[];
}
