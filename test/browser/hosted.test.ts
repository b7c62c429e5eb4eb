import { afterAll, expect, test } from '@jest/globals';
import { serveHttp } from '../support/http-server.ts';
import { expectGoodLooks } from './support/accessibility.ts';
import { setStage } from './support/browser.ts';
import { makeEnvironment, type OwnEnvironment } from './support/environment.ts';

const stage = await setStage();

/** The application that the service sends users back to, on another origin. */
const application = await serveHttp((_request, response) => {
  response.writeHead(200, { 'Content-Type': 'text/html' });
  response.end('<link rel="icon" href="data:,"><h1>Back in the application</h1>');
});
afterAll(() => application.close());

const EXPIRED_CALENDAR = 'ca_100000000000000002';
const MAIL = 'ca_100000000000000001';
const CRM = 'ca_100000000000000006';

const makeLink = async ({ api }: OwnEnvironment, body: object): Promise<string> =>
  (await api('POST', '/api/v1/connected_accounts/magic_link', body)).body.link;

test('behaviour V3: a user approves by a click, and returns to the application', async () => {
  const own = await makeEnvironment(stage.server);
  const user_verify_url = `${application.url}/verify?from=mock`;
  const link = await makeLink(own, { id: EXPIRED_CALENDAR, state: 'a b&c', user_verify_url });
  const page = await stage.open(link);
  await expectGoodLooks(page, 'consent');
  await page.getByTestId('approve').click();
  await page.getByText('Back in the application').waitFor();
  const { searchParams } = new URL(page.url());
  expect(Object.fromEntries(searchParams)).toMatchObject({ from: 'mock', state: 'a b&c' });
  expect(await own.statusOf(EXPIRED_CALENDAR)).toBe('PENDING_VERIFICATION');
});

test('behaviour V2: a user enters a key in the credential form', async () => {
  const own = await makeEnvironment(stage.server);
  await own.control('POST', `/connected_accounts/${CRM}/expire`);
  const page = await stage.open(await makeLink(own, { id: CRM }));
  await expectGoodLooks(page, 'credentials');
  await page.getByRole('main').locator('input').fill('typed-key');
  await page.getByTestId('submit').click();
  await page.waitForURL('**/connect/success');
  await expectGoodLooks(page, 'success');
  expect(await own.statusOf(CRM)).toBe('ACTIVE');
});

test.each([
  true,
  false,
])('behaviour V3: a user unticks a scope and grants the others (scripts: %s)', async (javaScriptEnabled) => {
  const own = await makeEnvironment(stage.server);
  const page = await stage.open(await makeLink(own, { id: MAIL }), { javaScriptEnabled });
  await page.getByTestId('scope-mail.send').uncheck();
  if (javaScriptEnabled) await expectGoodLooks(page, 'consent with scopes');
  await page.getByTestId('approve').click();
  await page.waitForURL('**/connect/success');
  const { connected_account } = (await own.api('GET', `/api/v1/connected_accounts/auth?id=${MAIL}`)).body;
  expect(connected_account.authorization_details.oauth_token.scopes).toEqual(['mail.read']);
});

/** Invites a user again. @returns the address in the e-mail */
const invite = async ({ api, control }: OwnEnvironment): Promise<string> => {
  const member = 'organizations/org_100000000000000001/users/usr_100000000000000002';
  await api('PATCH', `/api/v1/invites/${member}/resend`);
  return (await control('GET', '/outbox')).body.emails[0].link;
};

test('behaviour M8: an invitation leads to the page that the application starts sign-ins with, without scripts', async () => {
  const own = await makeEnvironment(stage.server);
  await own.control('PATCH', '/settings', { initiate_login_url: `${application.url}/login` });
  const page = await stage.open(await invite(own), { javaScriptEnabled: false });
  await page.getByTestId('accept').click();
  await page.getByText('Back in the application').waitFor();
  expect(new URL(page.url()).pathname).toBe('/login');
});

test('behaviour M8: an invited user accepts on the page that the e-mail links to', async () => {
  const page = await stage.open(await invite(await makeEnvironment(stage.server)));
  await expectGoodLooks(page, 'invitation');
  await page.getByTestId('accept').click();
  await page.getByTestId('invitation-accepted').waitFor();
  await expectGoodLooks(page, 'welcome');
});

test('behaviour V2: the page of an expired link is accessible and fits each screen', async () => {
  const own = await makeEnvironment(stage.server);
  const link = await makeLink(own, { id: EXPIRED_CALENDAR });
  await own.control('POST', '/clock/advance', { by: '16m' });
  stage.forgive(/410/);
  await expectGoodLooks(await stage.open(link), 'expired');
});
