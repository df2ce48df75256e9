import type { Locator, Page } from 'playwright-core';

const stopsMax = 80;

/** Presses Tab until an element has the focus, as a person without a pointer does. Throws if Tab does not reach it. */
export async function tabTo(page: Page, target: Locator): Promise<void> {
  await target.waitFor();
  for (let stop = 0; stop < stopsMax; stop += 1) {
    if (await target.evaluate((element) => element === element.ownerDocument.activeElement)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`Tab does not reach ${String(target)}`);
}

/** Presses the arrow key until an item of an open menu has the focus. A menu takes the focus a moment after it opened. */
export async function arrowTo(page: Page, item: Locator): Promise<void> {
  await item.waitFor();
  for (let stop = 0; stop < stopsMax; stop += 1) {
    if (await item.evaluate((element) => element === element.ownerDocument.activeElement)) return;
    await page.keyboard.press('ArrowDown');
  }
  throw new Error(`The arrow key does not reach ${String(item)}`);
}

/** Goes to a field by Tab and types into it, over the text that it has. */
export async function typeInto(page: Page, field: Locator, text: string): Promise<void> {
  await tabTo(page, field);
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type(text);
}
