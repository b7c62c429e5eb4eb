const { setupMock } = require('connected-accounts-mock/jest/setup');

module.exports = () => setupMock({ strict: true, scenario: 'default', minCoverage: 1 });
