/** The one stylesheet of the hosted pages: system fonts, light and dark, from 320 pixels up, nothing loaded. */
export const STYLE = `
:root {
  color-scheme: light dark;
  --page: #f4f5f9; --card: #fff; --line: #dfe2ec; --text: #191c2b; --quiet: #565d75;
  --accent: #4338ca; --accent-hover: #3730a3; --on-accent: #fff; --tint: #eef0fe; --tint-text: #3730a3;
  --good: #0b7a4b; --good-tint: #e2f6ec; --warn: #935208; --warn-tint: #fdf1dc; --bad: #b4232f; --bad-tint: #fdebec;
  --control: #858ca6; --shadow: 0 1px 2px rgb(20 24 45 / 6%), 0 12px 32px rgb(20 24 45 / 8%);
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #0f111a; --card: #181b28; --line: #2c3144; --text: #eceef6; --quiet: #a5acc3;
    --accent: #a5b0ff; --accent-hover: #bec6ff; --on-accent: #14173a; --tint: #23274a; --tint-text: #c3caff;
    --good: #6ddcaa; --good-tint: #13342a; --warn: #f4be70; --warn-tint: #3a2a14; --bad: #ff9aa2; --bad-tint: #3d1c22;
    --control: #7780a0; --shadow: 0 1px 2px rgb(0 0 0 / 40%), 0 12px 32px rgb(0 0 0 / 32%);
  }
}
*, *::before, *::after { box-sizing: border-box; }
html { background: var(--page); }
body {
  margin: 0; min-height: 100vh; min-height: 100dvh; display: flex; flex-direction: column; align-items: center;
  padding: 2rem 1rem; background: var(--page); color: var(--text);
  font: 1rem/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", Ubuntu, Cantarell, "Liberation Sans", sans-serif;
}
header, main, footer { width: 100%; max-width: 31rem; }
header { display: flex; align-items: center; justify-content: space-between; gap: 1rem; margin: auto 0 1rem; font-size: .875rem; }
header svg { width: 1.5rem; height: 1.5rem; flex: none; color: var(--accent); }
.brand { display: flex; align-items: center; gap: .5rem; font-weight: 600; }
.environment {
  padding: .125rem .625rem; border: 1px solid var(--line); border-radius: 1rem; color: var(--quiet); background: var(--card);
  overflow-wrap: anywhere;
}
main { background: var(--card); border: 1px solid var(--line); border-radius: 1rem; padding: 2rem; box-shadow: var(--shadow); }
footer { margin: 1rem 0 auto; font-size: .8125rem; color: var(--quiet); text-align: center; }
footer p { margin: 0; text-wrap: balance; }
h1 { margin: 0; font-size: 1.5rem; line-height: 1.25; letter-spacing: -.015em; overflow-wrap: anywhere; text-wrap: balance; }
h2 { margin: 1.25rem 0 .375rem; font-size: .875rem; font-weight: 600; }
p { margin: .5rem 0 0; overflow-wrap: anywhere; text-wrap: pretty; }
.hero { display: flex; gap: 1rem; align-items: center; }
.hero div { min-width: 0; }
.lead { color: var(--quiet); margin-top: .125rem; }
a { color: var(--accent); text-underline-offset: .15em; }
code { font: .9em ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace; overflow-wrap: anywhere; }
.emblem {
  display: grid; place-items: center; flex: none; align-self: flex-start; width: 3.25rem; height: 3.25rem; border-radius: 1rem;
  font-size: 1.375rem; font-weight: 700; background: var(--tint); color: var(--tint-text);
}
.emblem svg { width: 1.5rem; height: 1.5rem; }
.emblem.good { background: var(--good-tint); color: var(--good); }
.emblem.warn { background: var(--warn-tint); color: var(--warn); }
.emblem.bad { background: var(--bad-tint); color: var(--bad); }
.facts { margin: 1.25rem 0 0; border: 1px solid var(--line); border-radius: .75rem; }
.facts div { display: flex; justify-content: space-between; gap: 1.5rem; padding: .5rem .875rem; }
.facts div + div { border-top: 1px solid var(--line); }
.facts dt { color: var(--quiet); flex: none; }
.facts dd { margin: 0; text-align: right; font-weight: 500; overflow-wrap: anywhere; min-width: 0; }
.scopes, .next { margin: 0; padding: 0; list-style: none; }
.scopes li { display: flex; gap: .625rem; align-items: center; padding: .125rem 0; }
.scopes svg { width: 1.125rem; height: 1.125rem; flex: none; color: var(--good); }
.next { color: var(--quiet); font-size: .9375rem; display: grid; gap: .375rem; }
.next li { display: grid; grid-template-columns: 5.25rem 1fr; }
.next b { color: var(--text); font-weight: 600; }
.next span { overflow-wrap: anywhere; }
.field { margin-top: 1rem; }
.field label { display: block; margin-bottom: .25rem; font-weight: 600; font-size: .9375rem; }
.field input {
  width: 100%; min-height: 2.75rem; padding: .5rem .75rem; font: inherit; color: inherit; background: var(--page);
  border: 1px solid var(--control); border-radius: .625rem;
}
.field input[aria-invalid="true"] { border-color: var(--bad); }
.error { margin: .25rem 0 0; font-size: .875rem; color: var(--bad); font-weight: 500; }
.alert { margin: 1.25rem 0 0; padding: .75rem .875rem; border-radius: .75rem; background: var(--bad-tint); color: var(--bad); font-weight: 500; }
.actions { display: flex; gap: .75rem; margin-top: 1.5rem; }
.actions > * { flex: 1; }
button {
  min-height: 2.875rem; padding: .5rem 1rem; border: 1px solid transparent; border-radius: .75rem; font: inherit;
  font-weight: 600; cursor: pointer; background: var(--accent); color: var(--on-accent); text-align: center;
}
button:hover { background: var(--accent-hover); }
button.second { background: transparent; color: var(--text); border-color: var(--control); }
button.second:hover { background: var(--tint); }
.fine { margin-top: 1rem; font-size: .875rem; color: var(--quiet); text-align: center; text-wrap: balance; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
@media (max-width: 30rem) {
  body { padding: 1rem .75rem; }
  header { margin-top: 0; }
  main { padding: 1.5rem 1.25rem; }
}
@media (max-width: 22rem) { .actions { flex-direction: column; } }
@media (forced-colors: active) { button { border-color: ButtonText; } }
@media (prefers-reduced-motion: no-preference) { button { transition: background-color .12s; } }
`;
