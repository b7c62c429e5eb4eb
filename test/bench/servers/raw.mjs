/** A peer: node:http alone, with prepared replies. This is the upper limit of Node. */

import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';

const [, , port, dataFile] = process.argv;
const { list, account } = JSON.parse(readFileSync(dataFile, 'utf8'));
const page = JSON.stringify(list);
const one = JSON.stringify({ connected_account: account });

const reply = (response, status, text) => {
  response.writeHead(status, {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(text),
  });
  response.end(text);
};

createServer((request, response) => {
  if (request.method === 'POST') {
    request.resume();
    request.on('end', () => reply(response, 201, one));
  } else reply(response, 200, request.url.includes('/auth') ? one : page);
}).listen(Number(port), '127.0.0.1');
