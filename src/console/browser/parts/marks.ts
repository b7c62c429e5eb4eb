/** Marks the words of a search wherever the page shows them, without changing the elements that show them. */
import { useEffect } from 'preact/hooks';
import { wordsOf } from './layout.tsx';

/** The name of the marks in the styles. */
const NAME = 'found';

/** Marks the words of `query` below `main` while the page changes. */
export const useMarks = (query: string): void =>
  useEffect(() => {
    const main = document.querySelector('main');
    const words = wordsOf(query).flatMap((word) => [word, encodeURIComponent(word).toLowerCase()]);
    // Older browsers cannot mark text, and show the list without marks.
    if (!main || words.length === 0 || !('highlights' in CSS)) return;
    const mark = (): unknown => CSS.highlights.set(NAME, new Highlight(...rangesOf(main, words)));
    mark();
    const observer = new MutationObserver(mark);
    observer.observe(main, { childList: true, subtree: true, characterData: true });
    return () => {
      observer.disconnect();
      CSS.highlights.delete(NAME);
    };
  }, [query]);

function* rangesOf(main: Element, words: readonly string[]): Generator<Range> {
  const parts = document.createTreeWalker(main, NodeFilter.SHOW_TEXT, (node) =>
    node.parentElement?.closest('table, .summary, .json, .headers') ? 1 : 2,
  );
  while (parts.nextNode()) {
    const { currentNode: node } = parts;
    const text = node.textContent?.toLowerCase() ?? '';
    for (const word of words) {
      for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + word.length)) {
        const range = document.createRange();
        range.setStart(node, at);
        range.setEnd(node, at + word.length);
        yield range;
      }
    }
  }
}
