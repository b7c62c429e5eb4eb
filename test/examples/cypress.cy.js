// For Cypress, and any other browser test that controls the mock only by HTTP.
const MOCK = Cypress.env('MOCK_URL') ?? 'http://127.0.0.1:4720';
const ENVIRONMENT = `${MOCK}/_mock/environments/development`;
const headers = { authorization: 'Bearer dev-token' };

beforeEach(() => {
  cy.request('POST', `${ENVIRONMENT}/reset`);
});

it('connects a mail account', () => {
  cy.request({
    method: 'POST',
    url: `${MOCK}/api/v1/connected_accounts/magic_link`,
    headers,
    body: { connector: 'mail', identifier: 'you@acme.test' },
  }).then(({ body }) => cy.visit(body.link));
  cy.get('[data-testid=approve]').click();
  cy.url().should('include', '/connect/success');
});

it('shows a message when the list is down', () => {
  cy.request('POST', `${ENVIRONMENT}/faults`, { operation: 'listConnections', status: 504 });
  cy.request({ url: `${MOCK}/api/v1/connections`, headers, failOnStatusCode: false })
    .its('status')
    .should('eq', 504);
});
