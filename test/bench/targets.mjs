/** The project's targets for speed, each with the measured value. */
import { firstAnswerRatio } from './sections/first-answers.mjs';
import { firstRoundOf } from './sections/first-round.mjs';
import { cpuOf, rateOf } from './sections/throughput.mjs';
import { median, round, table } from './stats.mjs';

const OWN = 'ca-mock';

/** Compares requests per second. Also shows CPU time per request, which is more reliable on a busy machine. */
const times = ({ throughput }, peer, target, work = 'list', peerWork = work) => {
  const ratio = rateOf(throughput, work, 10, OWN) / rateOf(throughput, peerWork, 10, peer);
  const inCpu = cpuOf(throughput, peerWork, 10, peer) / cpuOf(throughput, work, 10, OWN);
  return { figure: `${round(ratio, 2)}x (in CPU time ${round(inCpu, 2)}x)`, isMet: ratio >= target };
};

const below = (value, target, unit, digits = 0) => ({
  figure: `${round(value, digits)} ${unit}`,
  isMet: value < target,
});

/** The median microseconds of a control call with 100,000 accounts. */
const ofControl = ({ control }, name) => control.find((row) => row.name === name).firstTime[1];

/** The targets: name, target, and a function that reads the value. A section that did not run has no value. */
const TARGETS = [
  ['list repeated, against bare Express 5', '2.5x', (found) => times(found, 'Express 5', 2.5)],
  ...[
    ['list asked for the first time', 'list, first time', 'list', 'Express 5', 0.8],
    ['list asked for the first time', 'list, first time', 'list', 'Express 5 + EOV', 1.25],
    ['create', 'create', 'create', 'Express 5 + EOV', 1],
    ['auth', 'auth', 'auth', 'Express 5', 1],
  ].map(([name, work, peerWork, peer, target]) => [
    `${name}, against ${peer === 'Express 5' ? 'bare Express 5' : peer}`,
    `${target}x`,
    (found) => times(found, peer, target, work, peerWork),
  ]),
  [
    'response validation on, cost in CPU per request (auth)',
    '< 10 %',
    (found) => {
      const cost = (name) => cpuOf(found.throughput, 'auth', 10, name);
      return below((cost(OWN) / cost('ca-mock, replies unchecked') - 1) * 100, 10, '%', 1);
    },
  ],
  [
    'start to first 200, against Express 5 + EOV',
    'at most 0.35',
    ({ startup }) => {
      const ratio = median(startup.get(OWN)) / median(startup.get('Express 5 + EOV'));
      return { figure: round(ratio, 2), isMet: ratio <= 0.35 };
    },
  ],
  [
    'import, createMock and first answer in a Jest worker, against 1.1',
    'at most 0.5',
    ({ firstAnswers }) => {
      const ratio = firstAnswerRatio(firstAnswers);
      return { figure: round(ratio, 2), isMet: ratio <= 0.5 };
    },
  ],
  [
    "first round of calls after a runner's setup, CPU",
    '< 150 ms',
    (found) => below(firstRoundOf(found), 150, 'ms'),
  ],
  ['start to first 200', 'aim: 250 ms', ({ startup }) => below(median(startup.get(OWN)), 250, 'ms')],
  [
    '100,000 accounts against 100: the slowest single filter, page or /auth',
    'within 1.2x',
    ({ growth }) => {
      const singles = [...growth.rows, ...growth.writes].filter(
        ({ name }) => !/search|and|create/.test(name),
      );
      const ratio = Math.max(...singles.map(({ firstTime: [few, many] }) => many / few));
      return { figure: `${round(ratio, 2)}x`, isMet: ratio <= 1.2 };
    },
  ],
  [
    'search over 100,000 accounts, the slowest',
    '< 6 ms',
    ({ growth }) =>
      below(
        Math.max(
          ...growth.rows.filter(({ name }) => /search/.test(name)).map(({ firstTime }) => firstTime[1]),
        ) / 1_000,
        6,
        'ms',
        2,
      ),
  ],
  [
    'reset over HTTP with 100,000 accounts',
    '< 1 ms',
    ({ growth }) => below(ofControl(growth, 'reset') / 1_000, 1, 'ms', 2),
  ],
  [
    'new environment over HTTP with 100,000 accounts',
    '< 0.5 ms',
    ({ growth }) => below(ofControl(growth, 'new environment') / 1_000, 0.5, 'ms', 2),
  ],
  [
    'verify flow, five requests',
    '900 flows/s',
    (found) => {
      const flows = rateOf(found.throughput, 'verify flow', 10, OWN) / 5;
      return { figure: `${round(flows)} flows/s`, isMet: flows >= 900 };
    },
  ],
  ['mock.fetch list, in process', '< 250 µs', ({ inProcess }) => below(inProcess.remembered, 250, 'µs', 1)],
  [
    'mock.fetch list, in process, asked for the first time',
    '< 250 µs',
    ({ inProcess }) => below(inProcess.firstTime, 250, 'µs', 1),
  ],
  [
    'memory after one call to each operation, default',
    '< 130 MiB',
    ({ memory }) => below(memory[0].resident, 130, 'MiB'),
  ],
  [
    'memory after one call to each operation, large',
    '< 300 MiB',
    ({ memory }) => below(memory[1].resident, 300, 'MiB'),
  ],
  [
    '150 operations against 24, CPU per request (list, first time)',
    'no measurable cost',
    ({ operations }) => {
      const cost = (count) => cpuOf(operations, 'list, first time', 10, `${count} operations`);
      const more = (cost(150) / cost(24) - 1) * 100;
      return { figure: `${round(more, 1)} %`, isMet: more < 5 };
    },
  ],
  [
    '`large` in a new process, spawn to first 200',
    '< 2 s to load',
    ({ memory }) => below(memory[1].loaded / 1_000, 2, 's', 2),
  ],
  [
    'write in the core with 100,000 accounts',
    '< 50 µs',
    ({ core }) => below(core['100000 accounts'].write, 50, 'µs', 1),
  ],
];

export const presentTargets = (found) =>
  table(
    ['measure', 'target', 'figure', 'met'],
    TARGETS.map(([name, target, read]) => {
      try {
        const { figure, isMet } = read(found);
        return [name, target, figure, isMet ? 'yes' : '**no**'];
      } catch {
        return [name, target, 'not measured', ''];
      }
    }),
  );
