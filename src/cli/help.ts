/** The help texts, and completion scripts for shells, made from the tables of commands and options. */
import { columns } from '../core/text.ts';
import { flagName, type Options } from '../library/option.ts';
import { UsageError } from './arguments.ts';
import { COMMAND_NAMES, COMMANDS, type Command, DEFAULT_COMMAND } from './commands.ts';

const PRECEDENCE = `Environment variables can set flags as well: CA_MOCK_BASE_URL sets --base-url. A flag overrides its
variable, and a variable overrides the scenario.`;

const SHELLS = ['bash', 'zsh', 'fish'];

/** The commands without flags, and the arguments that each accepts. */
const WORD_COMMANDS = [
  {
    name: 'help',
    operands: '[COMMAND]',
    words: 'show this text, or the flags of a command',
    takes: COMMAND_NAMES,
  },
  {
    name: 'completion',
    operands: SHELLS.join('|'),
    words: 'print a script that completes commands and flags in a shell',
    takes: SHELLS,
  },
];

export const helpText =
  (): string => `ca-mock: a stateful, contract-checked mock of the connected accounts API

Usage: ca-mock [COMMAND] [FLAGS]

Commands
${columns(
  [...[...COMMANDS].map(([name, command]) => ({ name, ...command })), ...WORD_COMMANDS].map(
    ({ name, operands, words }) => [`${name} ${operands}`, words] as const,
  ),
  '  ',
)}

Flags of start
${describe(DEFAULT_COMMAND.options)}

Also: --version, -v. For the flags of another command: ca-mock help COMMAND.
${PRECEDENCE}
`;

export const commandHelp = (name: string, { operands, words, options }: Command): string => {
  const usage = `Usage: ca-mock ${name} [FLAGS] ${operands}`.trimEnd();
  return `${usage}\n\n  ${words}\n\nFlags\n${describe(options)}\n\n${PRECEDENCE}\n`;
};

/** A line for each flag, such as `--port N, -p N`. */
const describe = (options: Options): string => {
  const rows = Object.entries(options).map(([name, { short, placeholder, words, fallback }]) => {
    const flag = flagName(name) + (short === undefined ? '' : `, -${short}`);
    return [[flag, placeholder].join(' '), `${words} (default: ${fallback})`] as const;
  });
  return columns(rows, '  ');
};

const flagsOf = (options: Options): string => Object.keys(options).map(flagName).join(' ');

const bashScript = (): string => `_ca_mock() {
  local words
  case "\${COMP_WORDS[1]}" in
${[...COMMANDS].map(([name, { options }]) => `    ${name}) words='${flagsOf(options)}' ;;`).join('\n')}
${WORD_COMMANDS.map(({ name, takes }) => `    ${name}) words='${takes.join(' ')}' ;;`).join('\n')}
    *) words='${flagsOf(DEFAULT_COMMAND.options)}' ;;
  esac
  [ "$COMP_CWORD" -eq 1 ] && words="${COMMAND_NAMES.join(' ')} ${flagsOf(DEFAULT_COMMAND.options)}"
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _ca_mock ca-mock
`;

const fishScript = (): string => {
  const first = '__fish_use_subcommand';
  const after = (name: string): string => `__fish_seen_subcommand_from ${name}`;
  const rule = (condition: string, what: string, words: string): string =>
    `complete -c ca-mock -n '${condition}' ${what} -d '${words.replaceAll("'", "\\'")}'\n`;
  const flags = (condition: string, options: Options): readonly string[] =>
    Object.entries(options).map(([name, { words, placeholder, short }]) => {
      const flag = `-l ${flagName(name).slice(2)}${short === undefined ? '' : ` -s ${short}`}`;
      return rule(condition, placeholder === undefined ? flag : `${flag} -r`, words);
    });
  return [
    ...[...COMMANDS].flatMap(([name, { words, options }]) => [
      rule(first, `-f -a ${name}`, words),
      ...flags(after(name), options),
    ]),
    ...WORD_COMMANDS.flatMap(({ name, words, takes }) => [
      rule(first, `-f -a ${name}`, words),
      rule(after(name), `-f -a '${takes.join(' ')}'`, ''),
    ]),
    ...flags(first, DEFAULT_COMMAND.options),
  ].join('');
};

/** A script that completes commands and flags. @throws UsageError for an unknown shell */
export const completionScript = (shell = ''): string => {
  switch (shell) {
    case 'bash':
      return bashScript();
    case 'zsh':
      return `autoload -U +X bashcompinit && bashcompinit\n${bashScript()}`;
    case 'fish':
      return fishScript();
    default:
      throw new UsageError(`completion needs one of ${SHELLS.join(', ')}, not "${shell}".`);
  }
};
