import type { TestProject } from 'vitest/node';
import { findChromium } from './chromium.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    chromium: string;
  }
}

export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const chromium = await findChromium();
  project.provide('chromium', chromium.path);
  return async () => chromium[Symbol.asyncDispose]();
}
