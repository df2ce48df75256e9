import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/**
 * With two rules that axe leaves out by default. Target size (WCAG 2.2, 2.5.8) knows the exception for targets with space around them. The
 * other is about labels that do not contain the text on the element (2.5.3).
 */
export const allRules = {
  rules: { 'target-size': { enabled: true }, 'label-content-name-mismatch': { enabled: true } },
};

/**
 * Each problem with the first of its elements and axe's reason. Documents in frames are not judged: axe is not in them, and would wait
 * for an answer of each for half a second.
 */
export async function findAxeProblems(page: Page, options: object = allRules): Promise<string[]> {
  if (!(await page.evaluate<boolean>(`'axe' in window`))) await page.evaluate(axe);
  // Runs in the page, so it is text.
  return page.evaluate(`axe.run(document, ${JSON.stringify({ resultTypes: ['violations'], iframes: false, ...options })}).then(({ violations }) =>
    violations.map(({ id, nodes }) =>
      id + ' (' + nodes.length + '): ' + nodes[0].html.slice(0, 160) + ' ' + nodes[0].failureSummary.slice(0, 220)))`);
}
