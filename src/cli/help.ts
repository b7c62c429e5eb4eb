/** The help texts, and completion scripts for shells, made from the tables of commands and options. */
import { columns } from '../core/text.ts';
import { flagName, type Option, type Options } from '../mock/option.ts';
import { UsageError } from './arguments.ts';
import { COMMANDS, type Command, DEFAULT_COMMAND } from './commands.ts';

const PRECEDENCE = `A variable can set each flag as well: --base-url is CA_MOCK_BASE_URL. A flag overrides its
variable, a variable overrides the scenario.`;

export const helpText =
  (): string => `ca-mock: a stateful, contract-checked mock of the connected accounts API

Usage: ca-mock [COMMAND] [FLAGS]

Commands
${columns(
  [
    ...[...COMMANDS].map(([name, { operands, words }]) => [`${name} ${operands}`, words] as const),
    ['help [COMMAND]', 'this text, or the flags of a command'],
    ['completion bash|zsh|fish', 'a script that completes commands and flags in a shell'],
  ],
  '  ',
)}

Flags of start
${describe(DEFAULT_COMMAND.options)}

Also: --version, -v. The flags of another command: ca-mock help COMMAND.
${PRECEDENCE}
`;

export const commandHelp = (name: string, { operands, words, options }: Command): string => {
  const isPlain = Object.keys(options).length === 0;
  const usage = ['Usage: ca-mock', name, isPlain ? '' : '[FLAGS]', operands].filter(Boolean).join(' ');
  return `${usage}\n\n  ${words}\n${isPlain ? '' : `\nFlags\n${describe(options)}\n\n${PRECEDENCE}\n`}`;
};

const describe = (options: Options): string =>
  columns(
    Object.entries(options).map(([name, option]) => [
      spell(name, option),
      `${option.words} (default: ${option.fallback})`,
    ]),
    '  ',
  );

/** A flag as the help text shows it: `--port N, -p N`. */
const spell = (name: string, { short, placeholder }: Option<unknown>): string =>
  [flagName(name) + (short === undefined ? '' : `, -${short}`), placeholder].join(' ');

const NAMES = [...COMMANDS.keys(), 'help', 'completion'];

const flagsOf = (options: Options): string => Object.keys(options).map(flagName).join(' ');

const bash = (): string => `_ca_mock() {
  local words
  case "\${COMP_WORDS[1]}" in
${[...COMMANDS].map(([name, { options }]) => `    ${name}) words='${flagsOf(options)}' ;;`).join('\n')}
    help) words='${NAMES.join(' ')}' ;;
    completion) words='${[...SCRIPTS.keys()].join(' ')}' ;;
    *) words='${flagsOf(DEFAULT_COMMAND.options)}' ;;
  esac
  [ "$COMP_CWORD" -eq 1 ] && words="${NAMES.join(' ')} ${flagsOf(DEFAULT_COMMAND.options)}"
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _ca_mock ca-mock
`;

const fish = (): string => {
  const offer = (name: string, words: string) =>
    `complete -c ca-mock -f -n __fish_use_subcommand -a ${name} -d '${words.replaceAll("'", "\\'")}'`;
  const flags = (condition: string, options: Options) =>
    Object.entries(options).map(
      ([name, { words, placeholder, short }]) =>
        `complete -c ca-mock -n '${condition}' -l ${flagName(name).slice(2)}${short ? ` -s ${short}` : ''}${placeholder ? ' -r' : ''} -d '${words.replaceAll("'", "\\'")}'`,
    );
  const lines = [
    ...[...COMMANDS].flatMap(([name, { words, options }]) => [
      offer(name, words),
      ...flags(`__fish_seen_subcommand_from ${name}`, options),
    ]),
    offer('help', 'show how to use a command'),
    `complete -c ca-mock -f -n '__fish_seen_subcommand_from help' -a '${NAMES.join(' ')}'`,
    offer('completion', 'a script that completes commands and flags in a shell'),
    `complete -c ca-mock -f -n '__fish_seen_subcommand_from completion' -a '${[...SCRIPTS.keys()].join(' ')}'`,
    ...flags('__fish_use_subcommand', DEFAULT_COMMAND.options),
  ];
  return `${lines.join('\n')}\n`;
};

const SCRIPTS = new Map([
  ['bash', bash],
  ['zsh', () => `autoload -U +X bashcompinit && bashcompinit\n${bash()}`],
  ['fish', fish],
]);

/** @throws UsageError that names the shells */
export const completionScript = (shell = ''): string => {
  const write = SCRIPTS.get(shell);
  if (write) return write();
  throw new UsageError(`completion needs one of ${[...SCRIPTS.keys()].join(', ')}, not "${shell}".`);
};
