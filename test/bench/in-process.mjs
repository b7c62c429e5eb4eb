/** Measures `mock.fetch` in this process. run.mjs runs this on the built package; it prints one JSON object. */
import { pathToFileURL } from 'node:url';

const [, , index, scenario] = process.argv;
const { createMock } = await import(pathToFileURL(index));
const mock = createMock({ scenario, log: 'silent' });
const { accessToken } = (await mock.environment()).credentials;
const headers = { authorization: `Bearer ${accessToken}` };
const LIST = '/api/v1/connected_accounts';

/** The number of first batches that are not counted, as a warm-up. */
const WARM_UP = 15;

/** The median microseconds of a call with its body, measured in batches. */
const measure = async (path) => {
  const batches = [];
  for (let batch = 0; batch < WARM_UP + 15; batch += 1) {
    const startedAt = performance.now();
    for (let nth = 0; nth < 400; nth += 1) {
      const response = await mock.fetch(path(batch * 400 + nth), { headers });
      if (response.status !== 200 || (await response.json()).connected_accounts.length !== 10)
        throw new Error(path(0));
    }
    batches.push(((performance.now() - startedAt) / 400) * 1_000);
  }
  const counted = batches.slice(WARM_UP).sort((left, right) => left - right);
  return counted[counted.length >> 1];
};

const remembered = await measure(() => LIST);
const firstTime = await measure((nth) => `${LIST}?nth=${nth}`);
await mock.close();
console.log(JSON.stringify({ remembered, firstTime }));
