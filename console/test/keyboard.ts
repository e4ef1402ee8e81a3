import type { Locator, Page } from 'playwright-core';

/** More than any page has elements to reach. */
const MOST_STEPS = 200;

/** An element, as far as the focus goes. The types of a browser are not those of these tests. */
type Focusable = { readonly ownerDocument: { readonly activeElement: unknown } };

/** Reaches an element with the Tab key alone, as somebody without a mouse does. Throws: Error where it cannot be reached. */
export async function tabTo(page: Page, target: Locator): Promise<void> {
  await target.waitFor();
  for (let step = 0; step < MOST_STEPS; step++) {
    if (await target.evaluate((element: Focusable) => element.ownerDocument.activeElement === element)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`the Tab key does not reach ${target.toString()}`);
}

/** Reaches an element and presses a key on it. */
export async function pressOn(page: Page, target: Locator, key = 'Enter'): Promise<void> {
  await tabTo(page, target);
  await page.keyboard.press(key);
}

/** Reaches a field and writes into it, in the place of what was there. */
export async function writeInto(page: Page, target: Locator, text: string): Promise<void> {
  await tabTo(page, target);
  await page.keyboard.press('ControlOrMeta+A');
  await page.keyboard.type(text);
}

/** Types into the field with which a box opens, once the focus is there. */
export async function typeAtOnce(page: Page, target: Locator, text: string): Promise<void> {
  await target.and(page.locator(':focus')).waitFor();
  await page.keyboard.type(text);
}
