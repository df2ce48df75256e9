export { createBatcher } from './batcher.ts';
export { createLoader } from './loader.ts';
export { createRepeater, type Repeater } from './repeater.ts';
export { createFailureFilter } from './failure-filter.ts';
