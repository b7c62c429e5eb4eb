/** The help text, made from the tables of commands and flags. */
import { columns } from './columns.ts';
import { COMMANDS } from './commands.ts';
import type { Flag, Flags } from './flag.ts';
import { START_FLAGS } from './start-flags.ts';
import { VERIFY_FLAGS } from './verify-flags.ts';

export const helpText = (): string => {
  const commands = columns(
    [...COMMANDS].map(([name, { operands, summary }]) => [`${name} ${operands}`, summary]),
    '  ',
  );
  return `ca-mock: a stateful, contract-checked mock of the connected accounts API

Usage: ca-mock [COMMAND] [FLAGS]

Commands
${commands}

Flags of start (list and validate know --fixtures)
${describe(START_FLAGS)}

Flags of verify
${describe(VERIFY_FLAGS)}

Also: --help, --version. Each flag can be set by a variable as well: --base-url by CA_MOCK_BASE_URL,
--port by PORT too. A flag goes before a variable, a variable before the scenario.
`;
};

const describe = (flags: Flags): string =>
  columns(
    Object.values(flags).map((flag) => [spell(flag), `${flag.summary} (default: ${flag.fallback})`]),
    '  ',
  );

/** A flag as it is written: `--port N, -p N`. */
const spell = ({ name, short, placeholder }: Flag<unknown>): string =>
  `--${name}${short === undefined ? '' : `, -${short}`}${placeholder === undefined ? '' : ` ${placeholder}`}`;
