import { useEffect, useState } from 'react';
import { copyText } from '../copy-text.ts';

type CopyState = 'idle' | 'copied' | 'failed';

/** Copies, and shows the result for a moment. */
export function useCopy(text: string): [CopyState, () => void] {
  const [state, setState] = useState<CopyState>('idle');
  useEffect(() => {
    if (state === 'idle') return undefined;
    const timer = setTimeout(() => setState('idle'), 1600);
    return () => clearTimeout(timer);
  }, [state]);
  const copy = () => {
    void copyText(text).then((copied) => setState(copied ? 'copied' : 'failed'));
  };
  return [state, copy];
}
