/** E-mail addresses as RFC 5322 writes them: `ada@acme.test`, `root@localhost`, `"a b"@acme.test`, `ada@[192.0.2.1]`. */
const ATOMS = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*";
const QUOTED = '"(?:[\\x20\\x21\\x23-\\x5b\\x5d-\\x7e]|\\\\[\\x20-\\x7e])*"';
const LITERAL = '\\[[\\x21-\\x5a\\x5e-\\x7e]+\\]';
const ADDRESS = new RegExp(`^(?:${ATOMS}|${QUOTED})@(?:${ATOMS}|${LITERAL})$`);

/** The longest that mail carries (RFC 5321), in characters. */
const LONGEST = 254;

export const isEmail = (text: string): boolean => text.length <= LONGEST && ADDRESS.test(text);
