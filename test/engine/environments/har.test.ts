import { expect, test } from '@jest/globals';
import { toHar } from '../../../src/engine/environments/har.ts';
import { createJournal } from '../../../src/engine/environments/journal.ts';
import { START } from '../../support/core.ts';

test('an archive has all of a call that HAR 1.2 asks for, with -1 for sizes that are not known', async () => {
  const journal = createJournal();
  const call = { request_id: 'req_1', time: START, real_time: 0, duration_ms: 2.5 };
  const type = { 'content-type': 'application/json' };
  journal.record({
    ...{ ...call, method: 'POST', url: '/a?b=1&b=x%20y', status: 404, fault: 'fault_1' },
    ...{ request_headers: type, request_body: '{"n":1}' },
    ...{ response_headers: { Location: '/c', ...type }, response_body: '{"é":2}' },
  });
  journal.record({
    ...{ ...call, method: 'GET', url: '/d', status: 0, request_headers: {}, response_headers: {} },
  });
  const unknown = { httpVersion: 'HTTP/1.1', cookies: [], headersSize: -1, bodySize: -1 };
  const header = { name: 'content-type', value: 'application/json' };
  const entry = {
    startedDateTime: '2026-03-01T12:00:00.000Z',
    time: 2.5,
    cache: {},
    timings: { send: 0, wait: 2.5, receive: 0 },
  };
  const entries = [
    {
      ...entry,
      request: {
        ...{ ...unknown, method: 'POST', url: 'http://m.test/a?b=1&b=x%20y', headers: [header] },
        queryString: [
          { name: 'b', value: '1' },
          { name: 'b', value: 'x y' },
        ],
        postData: { mimeType: 'application/json', params: [], text: '{"n":1}' },
      },
      response: {
        ...{ ...unknown, status: 404, statusText: 'Not Found', redirectURL: '/c' },
        headers: [{ name: 'location', value: '/c' }, header],
        content: { size: 8, mimeType: 'application/json', text: '{"é":2}' },
      },
      comment: 'The injected fault fault_1 took effect.',
    },
    {
      ...entry,
      request: { ...unknown, method: 'GET', url: 'http://m.test/d', headers: [], queryString: [] },
      response: {
        ...{ ...unknown, status: 0, statusText: '', redirectURL: '', headers: [] },
        content: { size: 0, mimeType: '', text: '' },
      },
    },
  ];
  const creator = { name: 'connected-accounts-mock', version: '1.2.3' };
  expect(toHar(await journal.list(), '1.2.3', 'http://m.test')).toEqual({
    log: { version: '1.2', creator, entries },
  });
});

test('an archive keeps the text of other bodies than JSON, with their credentials masked', async () => {
  const journal = createJournal();
  journal.record({
    ...{
      request_id: 'req_1',
      time: START,
      real_time: 0,
      duration_ms: 1,
      method: 'POST',
      url: '/oauth/token',
      status: 200,
    },
    request_headers: { 'content-type': 'application/x-www-form-urlencoded' },
    request_body: 'grant_type=client_credentials&client_secret=S',
    response_headers: { 'content-type': 'text/html' },
    response_body: '<p>"é"</p>',
  });
  expect(toHar(await journal.list(), '1.2.3', 'http://m.test').log.entries).toMatchObject([
    {
      request: { postData: { text: 'grant_type=client_credentials&client_secret=***' } },
      response: { content: { text: '<p>"é"</p>' } },
    },
  ]);
});
