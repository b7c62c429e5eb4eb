/** Writes RESULTS.md from the measurements. */
import { loadavg } from 'node:os';
import { presentFirstAnswers } from './sections/first-answers.mjs';
import { presentFirstRound } from './sections/first-round.mjs';
import { presentGrowth } from './sections/growth.mjs';
import { presentMemory } from './sections/memory.mjs';
import { presentStartup } from './sections/startup.mjs';
import { presentThroughput } from './sections/throughput.mjs';
import { round, table } from './stats.mjs';
import { presentTargets } from './targets.mjs';

export const presentResults = (found, { machine, peers, missing, options }) =>
  [
    '# Speed',
    `Written by \`npm run bench\` on ${new Date().toISOString().slice(0, 16).replace('T', ' ')} UTC: ${machine}; load average ${round(loadavg()[2], 1)} over the last 15 minutes (it should be near 1; if it is higher, other programs were running, and only ratios and CPU time are reliable).`,
    METHOD(options),
    '## Targets',
    presentTargets(found),
    '## Who is measured',
    table(
      ['server', 'version', 'what it does'],
      [
        [
          'ca-mock',
          'this',
          'shipped defaults: requests and replies validated, tokens, journal, coverage, state',
        ],
        ...peers.map(({ name, version, note }) => [name, version, note]),
      ],
    ),
    ...(missing.length > 0 ? [`Could not be installed: ${missing.join('; ')}.`] : []),
    ...section('Start', found.startup, presentStartup),
    ...section('First answers', found.firstAnswers, presentFirstAnswers),
    ...section('First round of a test run', found.firstRound, presentFirstRound),
    ...section('Requests', found.throughput, presentThroughput),
    ...section('Growth, over HTTP, microseconds', found.growth, presentGrowth),
    ...section('Memory', found.memory, presentMemory),
    ...section('24 and 150 operations', found.operations, presentThroughput),
    ...section('The core alone, microseconds', found.core, presentCore),
    ...section('In process', found.inProcess, ({ remembered, firstTime }) =>
      table(
        ['mock.fetch, list of 10, body parsed', 'µs'],
        [
          ['the same request', round(remembered, 1)],
          ['a request never sent before', round(firstTime, 1)],
        ],
      ),
    ),
    ...section(
      '10,000 environments over `large`',
      found.environments,
      (text) => `\`\`\`\n${text.trim()}\n\`\`\``,
    ),
    '',
  ].join('\n\n');

const section = (title, measured, present) =>
  measured === undefined ? [] : [`## ${title}`, present(measured)];

const METHOD = ({ rounds, seconds }) =>
  `Servers run on one core and the load on another. The load is our own generator over plain sockets (load.mjs): keep-alive, one request under way on each connection. Every figure is a median of ${rounds} rounds of ${seconds} s, servers taking turns, after a warm-up, with half the distance between the extremes. CPU is user and system time of the server's process. The list bodies were compared before anything was measured. "First time" asks for something never asked before, so that no remembered answer is sent; without it the same request is repeated.`;

const presentCore = (results) => {
  const columns = Object.entries(results);
  return table(
    ['step', ...columns.map(([name]) => name)],
    Object.keys(columns[0][1]).map((step) => [step, ...columns.map(([, values]) => round(values[step], 1))]),
  );
};
