import mock from 'connected-accounts-mock/vitest/plugin';

const { OTHER: scenario = 'default', OPTION: option = 'log' } = process.env;
const project = (name, options) => ({ plugins: [mock(options)], test: { name, include: ['*.test.js'] } });

// Two projects, which share one mock.
export default {
  test: {
    projects: [
      project('one', { [option]: 'silent', scenario: 'default' }),
      project('two', { [option]: 'silent', scenario }),
    ],
  },
};
