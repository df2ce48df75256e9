import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Call it once in each page, before `findAxeProblems`. */
export const loadAxe = (page: Page): Promise<unknown> => page.evaluate(axe);

/** Target size is a rule of WCAG 2.2 (2.5.8), which axe leaves out by default. It knows the exception for targets with space around them. */
export const allRules = { rules: { 'target-size': { enabled: true } } };

/** Each problem with the first of its elements and axe's reason. */
export const findAxeProblems = (page: Page, options: object = allRules): Promise<string[]> =>
  // Runs in the page, so it is text.
  page.evaluate(`axe.run(document, ${JSON.stringify({ resultTypes: ['violations'], ...options })}).then(({ violations }) =>
    violations.map(({ id, nodes }) =>
      id + ' (' + nodes.length + '): ' + nodes[0].html.slice(0, 160) + ' ' + nodes[0].failureSummary.slice(0, 220)))`);
