export { readLocalConfig } from './config.ts';
export { openAdmin, type Admin } from './open-admin.ts';
export { readRunning } from './running.ts';
export type { Running } from './running.ts';
export { seedDemo } from './seed.ts';
export { supervise } from './supervise.ts';
export type { SuperviseOptions } from './supervise.ts';
