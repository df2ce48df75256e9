export { createBatcher } from './batcher.ts';
export { createLoader } from './loader.ts';
export { createRepeater, type Repeater, createFailureFilter } from './repeater.ts';
