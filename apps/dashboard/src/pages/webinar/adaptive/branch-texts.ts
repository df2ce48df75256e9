import type { Branch } from '../../../trpc.ts';

interface ViaText {
  word: string;
  text: string;
}

/** The kinds of branches in words. */
export const viaTexts: Readonly<Record<Branch['via'], ViaText>> = {
  choice: { word: 'Choice', text: 'The viewer picks it.' },
  condition: { word: 'Condition', text: 'Taken if the viewer meets all conditions. Tried before choices.' },
  default: { word: 'Default', text: 'Taken if no condition is met and the viewer chooses nothing.' },
};
