/** Focus that goes with what is removed falls to the page, and the next key does something else; it goes to the heading. */
import type { RefObject } from 'preact';
import { useEffect } from 'preact/hooks';

/** @param place what may be removed within it; it has a heading of the first level */
export const useFocusKept = (place: RefObject<HTMLElement | null>): void => {
  useEffect(() => {
    let last: EventTarget | null = null;
    const remember = ({ target }: FocusEvent): void => {
      last = target;
    };
    const observer = new MutationObserver(() => {
      if (document.activeElement !== document.body || !(last instanceof Node) || last.isConnected) return;
      focusHeading(place.current);
      last = document.activeElement;
    });
    document.addEventListener('focusin', remember);
    if (place.current) observer.observe(place.current, { childList: true, subtree: true });
    return () => {
      document.removeEventListener('focusin', remember);
      observer.disconnect();
    };
  }, [place]);
};

const focusHeading = (place: HTMLElement | null): void => {
  const heading = place?.querySelector('h1');
  if (!heading) return;
  heading.tabIndex = -1;
  heading.focus();
};
