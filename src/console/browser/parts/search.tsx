/** A search field; the key `/` focuses it from anywhere on the page. */
import { useEffect, useRef } from 'preact/hooks';
import { ICONS } from './icons.tsx';

/** How many milliseconds after the last key the search begins. */
const PAUSE = 120;

interface SearchFieldProps {
  readonly label: string;
  /** The current search. */
  readonly text: string;
  readonly find: (text: string) => void;
}

export const SearchField = ({ label, text, find }: SearchFieldProps) => {
  const field = useRef<HTMLInputElement>(null);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  useEffect(() => {
    const jump = (event: KeyboardEvent): void => {
      if (
        event.key !== '/' ||
        (event.target instanceof Element && event.target.closest('input, select, textarea'))
      )
        return;
      event.preventDefault();
      field.current?.focus();
    };
    document.addEventListener('keydown', jump);
    return () => document.removeEventListener('keydown', jump);
  }, []);
  useEffect(() => {
    // The address changed, for example by the back button. Keep text that the user is typing.
    if (field.current && field.current !== document.activeElement) field.current.value = text;
  }, [text]);
  return (
    <label class="search">
      <span class="unseen">{label}</span>
      {ICONS.search}
      <input
        ref={field}
        type="search"
        placeholder="Search"
        maxLength={200}
        defaultValue={text}
        onInput={({ currentTarget }) => {
          clearTimeout(timer.current);
          timer.current = setTimeout(() => find(currentTarget.value.trim()), PAUSE);
        }}
      />
    </label>
  );
};
