import { useHotkeys } from '@mantine/hooks';
import { lazy, Suspense, useEffect, useState } from 'react';
import { onOpenPalette, openPalette } from '../palette/open-palette.ts';

const Palette = lazy(async () => ({ default: (await import('../palette/palette.tsx')).Palette }));

/** Ctrl/Cmd+K opens the search, also while a person types in a form. */
export function PaletteLoader() {
  const [isWanted, setWanted] = useState(false);
  useHotkeys([['mod+K', openPalette]], [], true);
  useEffect(() => onOpenPalette(() => setWanted(true)), []);
  return isWanted ? (
    <Suspense>
      <Palette />
    </Suspense>
  ) : null;
}
