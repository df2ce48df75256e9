import type { Page } from 'playwright-core';
import type { TestAccount, TestApi } from './api.ts';

/** Signs in as people do; resolves on the first page of the workspace. */
export async function signIn(
  page: Page,
  { baseUrl }: Pick<TestApi, 'baseUrl'>,
  { email, password }: Pick<TestAccount, 'email' | 'password'>,
): Promise<void> {
  await page.goto(baseUrl);
  await page.getByLabel(/^E-?mail/).fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('link', { name: 'Webinars' }).first().waitFor();
}
