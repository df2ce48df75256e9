import { createSpotlight } from '@mantine/spotlight';

/** The search over the workspace. Ctrl/Cmd+K opens it too. */
export const [paletteStore, palette] = createSpotlight();

export const openPalette = () => palette.open();
