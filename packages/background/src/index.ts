export { createBatcher } from './batcher.ts';
export { createLoader } from './loader.ts';
export { createFailureFilter, createRepeater, type Repeater } from './repeater.ts';
