/** The help text, made from the tables of commands and flags. */
import { columns } from './columns.ts';
import { COMMANDS } from './commands.ts';
import type { Flag } from './flag.ts';
import { START_FLAGS } from './start-flags.ts';

export const helpText = (): string => {
  const commands = columns(
    [...COMMANDS].map(([name, { operands, summary }]) => [`${name} ${operands}`, summary]),
    '  ',
  );
  const flags = columns(
    Object.values(START_FLAGS).map((flag) => [spell(flag), `${flag.summary} (default: ${flag.fallback})`]),
    '  ',
  );
  return `ca-mock: a stateful, contract-checked mock of the connected accounts API

Usage: ca-mock [COMMAND] [FLAGS]

Commands
${commands}

Flags of start (list and validate know --fixtures)
${flags}

Also: --help, --version. Each flag can be set by a variable as well: --base-url by CA_MOCK_BASE_URL,
--port by PORT too. A flag goes before a variable, a variable before the scenario.
`;
};

/** A flag as it is written: `--port N, -p N`. */
const spell = ({ name, short, placeholder }: Flag<unknown>): string =>
  `--${name}${short === undefined ? '' : `, -${short}`}${placeholder === undefined ? '' : ` ${placeholder}`}`;
