/** What is a credential, for every place that hides them: journal, log, messages, reports (behaviour R2). */

/** Words of a name, without case, `_` and `-`, under which a credential may be; all beneath such a member is masked. */
const SECRET =
  /^(?:authorizationdetails|staticauth|vendorbdwd|trustedidp|cookie|setcookie|bearer|accesskeyid|.*(?:authorization|secret|token|password|passwd|apikey|accesskey|privatekey|assertion)s?)$/;

/** Cursors of a list: opaque, but no credentials. */
const CURSOR = /^(?:next|prev)?pagetoken$/;

/** Whether a member, parameter or header of this name may be a credential; `client_secret[]` and `a[access_token]` too. */
export const isSecretName = (name: string): boolean =>
  name.split(/[^\p{L}\p{N}_-]+/u).some((word) => {
    const plain = word.toLowerCase().replaceAll(/[_-]/g, '');
    return SECRET.test(plain) && !CURSOR.test(plain);
  });

/** A text that gives a credential its value: `client_secret=X`, `"access_token" => "X"`, `Bearer X`. */
export const mentionsSecret = (text: string): boolean =>
  (/[=:>]/.test(text) && ASSIGNMENT.test(text)) || /\b(?:bearer|basic)\s+\S/i.test(text);

const ASSIGNMENT =
  /(?:secret|token|passw(?:or)?d|api[_-]?key|access[_-]?key|private[_-]?key|assertion|authorization|cookie)[\w\-[\]"'.\s]{0,40}[=:>]/i;
