import type { Locator, Page } from 'playwright-core';

const stopsMax = 80;

/** Presses Tab until an element has the focus, as a person without a pointer does. Throws if Tab does not reach it. */
export const tabTo = (page: Page, target: Locator): Promise<void> => pressTo(page, 'Tab', target);

/** Presses the arrow key until an item of an open menu has the focus. A menu takes the focus a moment after it opened. */
export const arrowTo = (page: Page, item: Locator): Promise<void> => pressTo(page, 'ArrowDown', item);

async function pressTo(page: Page, key: string, target: Locator): Promise<void> {
  await target.waitFor();
  // Found once, and again only when the page has replaced it: looking by role reads the whole page.
  let element = await target.elementHandle();
  for (let stop = 0; stop < stopsMax; stop += 1) {
    const place = await element.evaluate((node) =>
      node === node.ownerDocument.activeElement ? 'focused' : node.isConnected ? 'elsewhere' : 'gone',
    );
    if (place === 'focused') return;
    if (place === 'gone') element = await target.elementHandle();
    else await page.keyboard.press(key);
  }
  throw new Error(`${key} does not reach ${String(target)}`);
}

/** Goes to a field by Tab and types into it, over the text that it has. */
export async function typeInto(page: Page, field: Locator, text: string): Promise<void> {
  await tabTo(page, field);
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type(text);
}
