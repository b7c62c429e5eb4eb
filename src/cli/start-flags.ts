/** The flags of `ca-mock start`. Their names are those of the options of `startMock`. */
import { CLOCK_HINT, parseClockTime } from '../core/clock.ts';
import { choiceFlag, customFlag, switchFlag, textFlag } from './flag.ts';

const HIGHEST_PORT = 65_535;
const HIGHEST_SEED = 4_294_967_295;

const readNumber = (text: string, highest: number): number | undefined =>
  /^\d{1,15}$/.test(text) && Number(text) <= highest ? Number(text) : undefined;

const readPort = (text: string): number | undefined => readNumber(text, HIGHEST_PORT);

const readSeed = (text: string): number | 'random' | undefined =>
  text === 'random' ? text : readNumber(text, HIGHEST_SEED);

const readUrl = (text: string): string | undefined =>
  /^https?:/.test(text) && URL.canParse(text) ? text.replace(/\/+$/, '') : undefined;

const readTime = (text: string): string | undefined =>
  parseClockTime(text) === undefined ? undefined : text;

/** Shared by every command that looks for scenarios by name. */
export const FIXTURES_FLAG = textFlag({
  name: 'fixtures',
  placeholder: 'DIR',
  summary: 'folder of the scenarios that have names',
  fallback: "the package's own",
});

export const START_FLAGS = {
  port: customFlag(
    {
      name: 'port',
      short: 'p',
      variables: ['PORT'],
      placeholder: 'N',
      summary: 'port to listen on; 0 takes any free one',
      fallback: '4720',
    },
    `a whole number from 0 to ${HIGHEST_PORT}`,
    readPort,
  ),
  host: textFlag({
    name: 'host',
    placeholder: 'ADDRESS',
    summary: 'address to listen on',
    fallback: '127.0.0.1',
  }),
  scenario: textFlag({
    name: 'scenario',
    short: 's',
    placeholder: 'NAME_OR_FILE',
    summary: 'scenario to start from',
    fallback: 'ca-mock.yaml, .yml or .json here, else default',
  }),
  fixtures: FIXTURES_FLAG,
  baseUrl: customFlag(
    {
      name: 'base-url',
      placeholder: 'URL',
      summary: 'address of the mock as its clients see it',
      fallback: 'the address it listens on',
    },
    'an http:// or https:// URL',
    readUrl,
  ),
  tlsCert: textFlag({
    name: 'tls-cert',
    placeholder: 'FILE',
    summary: 'certificate to serve HTTPS with (PEM)',
    fallback: 'plain HTTP',
  }),
  tlsKey: textFlag({
    name: 'tls-key',
    placeholder: 'FILE',
    summary: 'private key of the certificate (PEM)',
    fallback: 'plain HTTP',
  }),
  seed: customFlag(
    {
      name: 'seed',
      placeholder: 'N|random',
      summary: 'what ids are drawn from; random ends repetition',
      fallback: '1',
    },
    `a whole number from 0 to ${HIGHEST_SEED}, or random`,
    readSeed,
  ),
  clock: customFlag(
    {
      name: 'clock',
      placeholder: 'ISO',
      summary: 'freeze the clock at a time',
      fallback: 'real time',
    },
    CLOCK_HINT,
    readTime,
  ),
  strict: switchFlag({
    name: 'strict',
    summary: 'refuse unknown parameters and members',
    fallback: 'off',
  }),
  hosted: choiceFlag(
    {
      name: 'hosted',
      summary: 'what opening an authorization link does',
      fallback: 'interactive',
    },
    ['interactive', 'approve', 'deny'],
  ),
  validateResponses: choiceFlag(
    {
      name: 'validate-responses',
      summary: 'what a reply that breaks the contract leads to',
      fallback: 'report',
    },
    ['on', 'report', 'off'],
  ),
  watch: switchFlag({
    name: 'watch',
    summary: 'reload the scenario when its file changes',
    fallback: 'off',
  }),
  controlToken: textFlag({
    name: 'control-token',
    placeholder: 'T',
    summary: 'token that /_mock asks for; required off loopback',
    fallback: 'none',
  }),
  log: choiceFlag(
    {
      name: 'log',
      summary: 'what standard output gets',
      fallback: 'pretty on a terminal, else json',
    },
    ['pretty', 'json', 'silent'],
  ),
};
