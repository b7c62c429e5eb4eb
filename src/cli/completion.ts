/** Completion scripts for shells, made from the tables of commands and options. */
import { flagName, type Options } from '../mock/option.ts';
import { UsageError } from './arguments.ts';
import { COMMANDS, DEFAULT_COMMAND } from './commands.ts';

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
  const flag = (
    condition: string,
    [name, { words, placeholder, short }]: [string, Options[string]],
  ): string =>
    [
      `complete -c ca-mock -n '${condition}' -l ${flagName(name).slice(2)}`,
      ...(short === undefined ? [] : [`-s ${short}`]),
      ...(placeholder === undefined ? [] : ['-r']),
      `-d '${words.replaceAll("'", "\\'")}'`,
    ].join(' ');
  const commands = [...COMMANDS].flatMap(([name, { words, options }]) => [
    `complete -c ca-mock -f -n __fish_use_subcommand -a ${name} -d '${words.replaceAll("'", "\\'")}'`,
    ...Object.entries(options).map((each) => flag(`__fish_seen_subcommand_from ${name}`, each)),
  ]);
  const others = [
    "complete -c ca-mock -f -n __fish_use_subcommand -a help -d 'show how to use a command'",
    `complete -c ca-mock -f -n '__fish_seen_subcommand_from help' -a '${NAMES.join(' ')}'`,
    "complete -c ca-mock -f -n __fish_use_subcommand -a completion -d 'a script that completes commands and flags in a shell'",
    `complete -c ca-mock -f -n '__fish_seen_subcommand_from completion' -a '${[...SCRIPTS.keys()].join(' ')}'`,
  ];
  const started = Object.entries(DEFAULT_COMMAND.options).map((each) => flag('__fish_use_subcommand', each));
  return `${[...commands, ...others, ...started].join('\n')}\n`;
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
