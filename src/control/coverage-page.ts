/** Coverage as a page for a browser; it needs nothing but itself. */
import type { CoverageReport, OperationCoverage } from './coverage-report.ts';

/** @param of whose coverage it is */
export const coveragePage = (report: CoverageReport, of: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Contract coverage ${report.percent} %</title>
<style>${STYLE}</style>
</head>
<body>
<h1>Contract coverage: ${report.percent}&nbsp;%</h1>
<p>By ${escapeHtml(of)}. ${KINDS.map((kind) => `${report[kind].seen} of ${report[kind].total} ${kind}`).join(', ')}.</p>
<table>
<caption>Struck out: not exercised yet.</caption>
<thead><tr><th scope="col">Operation</th><th scope="col">Calls</th><th scope="col">Statuses</th><th scope="col">Parameters</th><th scope="col">Body members</th></tr></thead>
<tbody>
${report.by_operation.map(toRow).join('\n')}
</tbody>
</table>
</body>
</html>
`;

const KINDS = ['operations', 'statuses', 'parameters', 'members'] as const;

const STYLE = `:root{color-scheme:light dark}body{font:16px/1.5 system-ui,sans-serif;margin:2rem auto;max-width:75rem;padding:0 1rem}
table{border-collapse:collapse;width:100%}caption{text-align:left;padding:.5rem 0}
th,td{text-align:left;vertical-align:top;padding:.4rem .6rem;border-bottom:1px solid #8886}
th small{display:block;font-weight:normal;overflow-wrap:anywhere}tr.unused{opacity:.65}
del{opacity:.7}del,ins{text-decoration-thickness:1px;margin-right:.5em;overflow-wrap:anywhere}ins{text-decoration:none;font-weight:600}`;

const toRow = ({
  operation,
  method,
  path,
  calls,
  statuses,
  parameters,
  members,
}: OperationCoverage): string =>
  `<tr${calls === 0 ? ' class="unused"' : ''}><th scope="row">${escapeHtml(operation)}<small>${method} ${escapeHtml(path)}</small></th><td>${calls}</td><td>${names(Object.keys(statuses.seen), statuses.missing.map(String))}</td><td>${names(parameters.seen, parameters.missing)}</td><td>${names(members.seen, members.missing)}</td></tr>`;

const names = (seen: readonly string[], missing: readonly string[]): string =>
  [
    ...seen.map((name) => `<ins>${escapeHtml(name)}</ins>`),
    ...missing.map((name) => `<del>${escapeHtml(name)}</del>`),
  ].join(' ');

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

const escapeHtml = (text: string): string =>
  text.replace(/[&<>"]/g, (character) => ENTITIES[character] ?? '');
