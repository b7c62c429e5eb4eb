import { expect, test } from '@jest/globals';
import { html } from '../../../src/engine/pages/html.ts';

test('values in a page are escaped, in text and in attributes', () => {
  const hostile = `"><script>alert('1')</script>&\``;
  const shown = '&quot;&gt;&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;&amp;&#96;';
  expect(html`<p title="${hostile}">${hostile}</p>`.toString()).toBe(`<p title="${shown}">${shown}</p>`);
});

test('HTML within HTML is not escaped a second time, undefined and false write nothing, and zero is written', () => {
  const items = ['<a>', '<b>'].map((item) => html`<li>${item}</li>`);
  expect(html`<ul>${items}</ul>${html`<hr>`}${undefined}${false}${0}`.toString()).toBe(
    '<ul><li>&lt;a&gt;</li><li>&lt;b&gt;</li></ul><hr>0',
  );
});

test('an object that only looks like HTML is escaped as text', () => {
  const forged = { toString: () => '<script>' } as unknown as string; // as a JavaScript caller could pass it
  expect(html`${forged}`.toString()).toBe('&lt;script&gt;');
});
