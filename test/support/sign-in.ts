import type { BrowserContext, Page } from 'playwright-core';
import type { TestAccount, TestApi } from './api.ts';
import { signInCookies } from './member.ts';

type Service = Pick<TestApi, 'baseUrl'>;
type Person = Pick<TestAccount, 'email' | 'password'>;

/** Gives a context a new sign-in session. No page is opened, so this takes a tenth of the time of the form. */
export async function signInContext(
  context: BrowserContext,
  service: Service,
  person: Person,
): Promise<void> {
  const cookies = await signInCookies(service, person);
  await context.addCookies(cookies.map((cookie) => ({ ...cookie, url: service.baseUrl })));
}

/** Opens a page of the dashboard with a new sign-in session; the list of webinars by default. */
export async function signIn(
  page: Page,
  service: Service,
  person: Person & Pick<TestAccount, 'accountId'>,
  path = `/w/${person.accountId}/webinars`,
): Promise<void> {
  await signInContext(page.context(), service, person);
  await page.goto(service.baseUrl + path);
  await untilOpen(page);
}

/** Signs in as people do; resolves on the first page of the workspace. */
export async function signInByForm(page: Page, { baseUrl }: Service, person: Person): Promise<void> {
  const { email, password } = person;
  await page.goto(baseUrl);
  await page.getByLabel(/^E-?mail/).fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await untilOpen(page);
}

const untilOpen = (page: Page): Promise<void> =>
  page.getByRole('link', { name: 'Webinars' }).first().waitFor();
