/** Where the time of a create goes, by a CPU profile of the server under load: what stands between it and its target. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { askLoad, freePort, SERVER_CORE, startLoad, startPinned, untilFirst200 } from '../machine.mjs';
import { round, table } from '../stats.mjs';
import { LIST, TOKEN } from '../work.mjs';

const WORK = 'create';
const SECONDS = 8;

/** Each sample belongs to the first of these whose function is found from the innermost call outwards. */
const STAGES = [
  ['the kernel takes the reply', /^write(v|Latin1String|Utf8String|Buffer)$/],
  ['garbage collection', /^\(garbage collector\)$/],
  ['the trees of the accounts table', /^(addRow|putRow|rowsBy|getRow)$/],
  ['the operation beside them', /^createConnectedAccount$/],
  ['checking the request', /^(requireContract|checkRequest)$/],
  ['checking the reply', /^checkReply$/],
  ['reading and parsing the body', /^(readBody|parseBody|readPlainBytes)$/],
  ['journal and coverage', /^note$/],
  ['writing the reply: JSON, headers', /^(replyJson|writeJson)$/],
  ['finding environment, token and route', /^(identify|requireRoute|openCall|serve|serveOperation)$/],
  ['committing, and telling of changes', /^(run|dispatch)$/],
  ['Express', /^(app|app\.handle|Router\.handle|next)$/],
];
const REST = 'the HTTP server of Node';

export const measureProfile = async ({ own, files, log }) => {
  const folder = mkdtempSync(join(tmpdir(), 'ca-mock-profile-'));
  const port = await freePort();
  const [node, ...args] = own.command(String(port), files);
  // Every millisecond, as is the default: sampled more often, it is the sampling that is seen, in system calls.
  const flags = ['--cpu-prof', '--cpu-prof-dir', folder];
  const child = startPinned(SERVER_CORE, [node, ...flags, ...args]);
  await untilFirst200(child, port, LIST, TOKEN);
  const load = startLoad();
  await askLoad(load, { port, work: WORK, connections: 10, seconds: 2 });
  await askLoad(load, { port, work: WORK, connections: 10, seconds: SECONDS });
  load.kill();
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGINT'); // the profile is written when the server ends by itself
  await ended;
  const [name] = readdirSync(folder);
  const profile = JSON.parse(readFileSync(join(folder, name), 'utf8'));
  rmSync(folder, { recursive: true });
  const shares = sharesOf(profile);
  log(
    `profile of ${WORK}: ${[...shares].map(([stage, share]) => `${stage} ${round(share * 100)} %`).join(', ')}`,
  );
  return shares;
};

/** The part of the time of each stage, idle time and the start left out. */
const sharesOf = ({ nodes, samples, timeDeltas, endTime }) => {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const parents = new Map(nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id])));
  const nameOf = (id) => byId.get(id).callFrame.functionName.replace(/\d+$/, '');
  const stageOf = (id) => {
    for (let at = id; at !== undefined; at = parents.get(at)) {
      const stage = STAGES.find(([, functions]) => functions.test(nameOf(at)));
      if (stage) return stage[0];
    }
    return REST;
  };
  const spent = new Map([...STAGES.map(([stage]) => [stage, 0]), [REST, 0]]);
  let left = endTime;
  for (let nth = samples.length - 1; nth >= 0 && left > endTime - SECONDS * 1e6; nth -= 1) {
    left -= timeDeltas[nth];
    if (nameOf(samples[nth]) === '(idle)') continue;
    const stage = stageOf(samples[nth]);
    spent.set(stage, spent.get(stage) + timeDeltas[nth]);
  }
  const whole = [...spent.values()].reduce((sum, part) => sum + part, 0);
  return new Map([...spent].map(([stage, part]) => [stage, part / whole]));
};

/** What was tried and measured on the way to the target, and what more of it would cost. */
const OUTLOOK =
  "The kernel, Node's HTTP server and garbage collection are about half of it, and no stage of ours is more than a seventh. A hash trie of our own in place of sorted-btree would make half the garbage for each key written (1.4 KB for 3 KB), perhaps a tenth of a create, for a hundred lines that a library keeps now. A larger young generation (`--max-semi-space-size=32`) gives 0 to 5 % and takes memory. Writing the replies of one turn together gave nothing.";

/** @param cpu microseconds of a create, where they were measured */
export const presentProfile = (shares, cpu) => `${OUTLOOK}\n\n${presentShares(shares, cpu)}`;

const presentShares = (shares, cpu) =>
  table(
    ['stage of a create', 'share', ...(cpu === undefined ? [] : ['of its CPU, µs'])],
    [...shares]
      .toSorted(([, left], [, right]) => right - left)
      .map(([stage, share]) => [
        stage,
        `${round(share * 100)} %`,
        ...(cpu === undefined ? [] : [round(share * cpu, 1)]),
      ]),
  );
