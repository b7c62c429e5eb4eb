/** The help texts, and completion scripts for shells, made from the tables of commands and options. */
import { columns } from '../core/text.ts';
import { flagName, type Options } from '../mock/option.ts';
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
    ['completion bash|zsh', 'a script that completes commands and flags in a shell'],
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

/** A line for each flag, such as `--port N, -p N`. */
const describe = (options: Options): string => {
  const rows = Object.entries(options).map(([name, { short, placeholder, words, fallback }]) => {
    const flag = flagName(name) + (short === undefined ? '' : `, -${short}`);
    return [[flag, placeholder].join(' '), `${words} (default: ${fallback})`] as const;
  });
  return columns(rows, '  ');
};

const flagsOf = (options: Options): string => Object.keys(options).map(flagName).join(' ');

/** A script that completes commands and flags. @throws UsageError for a shell that it is not for */
export const completionScript = (shell = ''): string => {
  if (shell !== 'bash' && shell !== 'zsh')
    throw new UsageError(`completion needs one of bash, zsh, not "${shell}".`);
  const names = [...COMMANDS.keys(), 'help', 'completion'].join(' ');
  return `${shell === 'zsh' ? 'autoload -U +X bashcompinit && bashcompinit\n' : ''}_ca_mock() {
  local words
  case "\${COMP_WORDS[1]}" in
${[...COMMANDS].map(([name, { options }]) => `    ${name}) words='${flagsOf(options)}' ;;`).join('\n')}
    help) words='${names}' ;;
    completion) words='bash zsh' ;;
    *) words='${flagsOf(DEFAULT_COMMAND.options)}' ;;
  esac
  [ "$COMP_CWORD" -eq 1 ] && words="${names} ${flagsOf(DEFAULT_COMMAND.options)}"
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _ca_mock ca-mock
`;
};
